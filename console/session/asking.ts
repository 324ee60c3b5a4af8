/** Asking for the passkey: once for all calls that wait for it, and no longer than somebody is there who asks. */

/** Tells whether the person has confirmed. */
export type Ask = () => Promise<boolean>

export const nobodyAsks: Ask = async () => false

export const createAsking = () => {
  let ask = nobodyAsks
  let asking: Promise<boolean> | null = null
  let giveUp = (): void => undefined
  return {
    /** Whoever asked before is gone, and with them the dialog: without an answer its call, and every later one, would wait for ever. */
    setAsk: (next: Ask): void => {
      giveUp()
      ask = next
    },
    confirm: (): Promise<boolean> => {
      asking ??= Promise.race([
        ask(),
        new Promise<boolean>((answer) => {
          giveUp = () => answer(false)
        }),
      ]).finally(() => {
        asking = null
      })
      return asking
    },
  }
}
