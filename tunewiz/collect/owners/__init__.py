"""Who else keeps settings of this machine."""
