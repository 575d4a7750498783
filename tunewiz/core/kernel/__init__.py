"""What follows from a situation about the kernel: scheduler, dirty pages, huge pages, boot entries."""
