/** Iframe permissions of a hidden frame (specification, section 9). Without any one of the three no message ever comes. */
const HIDDEN_FRAME = 'allow-forms allow-scripts allow-same-origin'

/** A challenge may also open the bank's app or page in another window. No frame may navigate this page away. */
export const IFRAME_SANDBOX = {
  hidden: HIDDEN_FRAME,
  challenge: `${HIDDEN_FRAME} allow-popups allow-popups-to-escape-sandbox`,
} as const

/** Passkeys and payment confirmation run in a frame inside the frame: every frame in between must allow them. */
export const CHALLENGE_ALLOW = 'publickey-credentials-get *; payment *'
