# shellcheck shell=dash # the variables of the scripts and the parts beside this one are read here
# Has someone whom the administrator trusts signed this bundle? With SSH keys, which everyone already has.

SIGNED_FOR=tunewiz

# The signature covers SHA256SUMS, which covers everything else. Refuses with status 4.
check_signature() {
    command -v ssh-keygen >/dev/null || unsigned "ssh-keygen was not found"
    [ -f "$SIGNERS" ] && [ -r "$SIGNERS" ] || unsigned "$SIGNERS cannot be read (allowed signers, see ssh-keygen(1))"
    signature=$BUNDLE/SHA256SUMS.sig
    [ -f "$signature" ] || unsigned "it is not signed: ssh-keygen -Y sign -f KEY -n $SIGNED_FOR SHA256SUMS makes SHA256SUMS.sig"
    signed_by=$(ssh-keygen -Y find-principals -s "$signature" -f "$SIGNERS" 2>/dev/null | head -n 1)
    [ -n "$signed_by" ] || unsigned "nobody in $SIGNERS has signed it"
    signed_said=$(ssh-keygen -Y verify -f "$SIGNERS" -I "$signed_by" -n "$SIGNED_FOR" -s "$signature" \
        <"$BUNDLE/SHA256SUMS" 2>&1) || unsigned "its signature is not valid: $signed_said"
    say "Signed by $signed_by."
}

unsigned() {
    die 4 "Refused, nothing was changed: $*"
}
