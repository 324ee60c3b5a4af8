/** Enough for whoever looks; a proof that counts them asks for more. */
export const MAILS_KEPT = 200

/** A mail as it came over the wire. */
export interface ReceivedMail {
  readonly number: number
  readonly receivedAt: number
  /** Of the envelope, which decides where a mail goes; what the mail says itself is in its source. */
  readonly from: string
  readonly recipients: readonly string[]
  readonly source: Buffer
}

/** Mailbox of the sandbox: the last mails, in memory alone, newest first. */
export interface Mailbox {
  add(mail: Pick<ReceivedMail, 'from' | 'recipients' | 'source'>): void
  list(): readonly ReceivedMail[]
  find(number: number): ReceivedMail | undefined
}

export const createMailbox = (now: () => number, kept: number = MAILS_KEPT): Mailbox => {
  let mails: readonly ReceivedMail[] = []
  let last = 0
  return {
    add: (mail) => {
      last += 1
      mails = [{ ...mail, number: last, receivedAt: now() }, ...mails].slice(0, kept)
    },
    list: () => mails,
    find: (number) => mails.find((mail) => mail.number === number),
  }
}
