/** Signed events: what a program that verifies webhooks must accept, and what it must refuse. */
import { CommandError } from '../../tools/command-error.mjs'
import { signedHeaders } from '../../server/webhooks/signature.ts'

const secretOf = (letter: string): string => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`
export const HOOK_SECRET = secretOf('a')
const OTHER_SECRET = secretOf('b')

const BODY = '{"id":"evt_1","type":"checkout.paid","data":{"subject":"煎茶"}}'
const ID = 'evt_1'
/** Standard Webhooks: an event whose try is older or younger may be a replay. */
const TOLERANCE_MS = 5 * 60_000
/** Between signing and verifying. */
const MARGIN_MS = 30_000

export interface HookAnswer {
  readonly what: string
  readonly status: number
  readonly expected: 200 | 400
}

/** The PHP text in a document. */
export const phpBlockOf = (document: string): string => {
  const [, block] = /^```php\n(.*?)^```$/ms.exec(document) ?? []
  if (block === undefined) throw new CommandError('docs/merchant-guide.md has no text in PHP any more')
  return block
}

type Sent = Omit<HookAnswer, 'status'> & { readonly headers: Readonly<Record<string, string>>; readonly body: string }

export const eventsToSend = (now: number): readonly Sent[] => {
  const signed = (...secrets: string[]) => signedHeaders(secrets, ID, BODY, now)
  const at = (when: number) => signedHeaders([HOOK_SECRET], ID, BODY, when)
  const good = { expected: 200, body: BODY } as const
  const bad = { expected: 400, body: BODY } as const
  return [
    { ...good, what: 'signed', headers: signed(HOOK_SECRET) },
    { ...good, what: 'signed by the secret before a roll too', headers: signed(OTHER_SECRET, HOOK_SECRET) },
    { ...good, what: 'almost five minutes old', headers: at(now - TOLERANCE_MS + MARGIN_MS) },
    { ...bad, what: 'more than five minutes old', headers: at(now - TOLERANCE_MS - MARGIN_MS) },
    { ...bad, what: 'more than five minutes early', headers: at(now + TOLERANCE_MS + MARGIN_MS) },
    { ...bad, what: 'signed by another secret', headers: signed(OTHER_SECRET) },
    { ...bad, what: 'another body', headers: signed(HOOK_SECRET), body: BODY.replace('paid', 'open') },
    { ...bad, what: 'another id', headers: { ...signed(HOOK_SECRET), 'webhook-id': 'evt_2' } },
    { ...bad, what: 'a part of the signature', headers: { ...signed(HOOK_SECRET), 'webhook-signature': 'v1,' } },
    { ...bad, what: 'no headers', headers: { 'content-type': 'application/json' } },
  ]
}

export const answersOf = async (url: string, now: number): Promise<HookAnswer[]> => {
  const answers: HookAnswer[] = []
  for (const { what, expected, headers, body } of eventsToSend(now)) {
    const { status } = await fetch(url, { method: 'POST', headers, body })
    answers.push({ what, status, expected })
  }
  return answers
}
