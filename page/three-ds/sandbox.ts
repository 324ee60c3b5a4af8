/** Specification, section 9: what a hidden frame may do. Without any one of the three no message ever comes. */
const HIDDEN = 'allow-forms allow-scripts allow-same-origin'

/** A challenge may also open the bank's app or page beside this one. None may steer this page away: no top navigation. */
export const SANDBOX = {
  hidden: HIDDEN,
  challenge: `${HIDDEN} allow-popups allow-popups-to-escape-sandbox`,
} as const

/** Passkeys and payment confirmation live in the frame inside the frame: every one in between must hand them on. */
export const CHALLENGE_ALLOWS = 'publickey-credentials-get *; payment *'
