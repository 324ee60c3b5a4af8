import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { MINUTE_MS } from '#contract/jst.ts'
import { openSqliteInMemory } from '../../../proof/harness/databases.ts'
import { virtualClock, type TestClock } from '../../../proof/harness/test-clocks.ts'
import { createLog } from '../../log.ts'
import { createMailedToken } from '../../operations/people/mailed-token.ts'
import type { Database } from '../../store/engine/database.ts'
import type { MailOutcome } from '../../store/outbox/mail-claims.ts'
import { findOpenLink, linkWrite } from '../../store/people/links.ts'
import { hashToken } from '../../store/people/people.ts'
import { findPersonMailsDue, personMailsWrite, type PersonMailFacts } from '../../store/people/person-mails.ts'
import { drawPersonMail } from './draw-person-mail.ts'
import type { Letter } from './mailer.ts'
import { sendPersonMail } from './send-person-mail.ts'

const TOKEN = 'a'.repeat(32)
const TOKEN_IN_MAIL = /\/sign-in\/([a-z2-7]{32})/
const origin = 'https://console.pay.example.com'
const publicBase = new URL('https://pay.example.com')
let database: Database
let clock: TestClock
let lines: string[]

beforeEach(async () => {
  database = await openSqliteInMemory()
  clock = virtualClock()
  lines = []
  const [now, endsAt] = [clock.now(), clock.now() + 10 * MINUTE_MS]
  const to = { recipient: 'a@example.com', locale: 'ja' } as const
  const link = { hash: 'm', kind: 'sign_in', email: to.recipient, browserHash: 'here', shop: null } as const
  await database.writeAll([
    ...linkWrite({ ...link, invitedBy: null, createdAt: now, expiresAt: endsAt }),
    ...personMailsWrite([{ id: 'm', ...to, facts: { kind: 'sign_in' }, endsAt, sendAt: now }], now),
  ])
})

/** Sends what is due with this outcome, and returns the letters. */
const send = async (outcome: MailOutcome['outcome']): Promise<Letter[]> => {
  const letters: Letter[] = []
  const mailer = {
    isSandbox: false,
    send: async (letter: Letter): Promise<MailOutcome> => {
      letters.push(letter)
      return outcome === 'waits' ? { outcome, answer: 'x', until: 0 } : { outcome, answer: '450' }
    },
  }
  const deps = {
    database,
    clock,
    mailedToken: createMailedToken('k'.repeat(64)),
    publicBase,
    log: createLog('debug', (line) => lines.push(line), clock.now),
  }
  for (const due of await findPersonMailsDue(database, clock.now(), 10)) await sendPersonMail(deps, mailer, due)
  return letters
}
const rowsLeft = async (): Promise<number> => (await database.rows('SELECT id FROM person_mails')).length

const tokenIn = ({ text }: Letter): string => TOKEN_IN_MAIL.exec(text)?.[1] ?? assert.fail('no link')
const opens = async (token: string): Promise<boolean> =>
  (await findOpenLink(database, hashToken(token), clock.now()))?.hash === 'm'

test('a link is mailed once, with a token that was stored in no row before and opens that link', async () => {
  const [letter = assert.fail('no letter')] = await send('sent')
  assert.ok(await opens(tokenIn(letter)))
  assert.deepEqual([letter.recipient, letter.replyTo, letter.locale], ['a@example.com', null, 'ja'])
  assert.equal(await rowsLeft(), 0)
  assert.deepEqual(await send('sent'), [])
})

test('one that is refused is forgotten too', async () => {
  await send('refused')
  assert.equal(await rowsLeft(), 0)
  assert.match(lines.join(), /a mail was refused/)
})

test('a mail that is sent again has the same message id and the same link, so that either copy signs in', async () => {
  const [first = assert.fail('no letter')] = await send('later')
  clock.advance(MINUTE_MS)
  const [second = assert.fail('no letter')] = await send('sent')
  assert.deepEqual([second.messageId, tokenIn(second)], [first.messageId, tokenIn(first)])
  assert.ok(await opens(tokenIn(first)))
})

test('who knows a stored link and not the secret key cannot make the token of its mail', () => {
  const [ours, others] = ['k', 'l'].map((letter) => createMailedToken(letter.repeat(64))('m'))
  assert.notEqual(ours, others)
  assert.match(ours ?? '', /^[a-z2-7]{32}$/)
})

test('a link that was used or withdrawn before its mail went is not mailed', async () => {
  await database.rows('UPDATE person_links SET used_at = 1')
  assert.deepEqual(await send('sent'), [])
  assert.equal(await rowsLeft(), 0)
})

test('one that the mail server defers is tried again for as long as its link works, and no log names token or address', async () => {
  let tries = 0
  for (let minute = 0; minute < 12; minute += 1) {
    tries += (await send('later')).length
    clock.advance(MINUTE_MS)
  }
  assert.equal(tries, 3)
  assert.equal(await rowsLeft(), 0)
  assert.match(lines.join(), /a mail was given up/)
  assert.doesNotMatch(lines.join(), /sign-in\/|a@example/)
})

test('every mail to a person is drawn in Japanese and in English, and holds no line that its facts could begin', () => {
  const name = 'Eve\nhttps://evil.example'
  const all: readonly PersonMailFacts[] = [
    { kind: 'sign_in' },
    { kind: 'invitation', shop: name },
    { kind: 'invitation', shop: null },
    { kind: 'recovery', name, email: 'a@example.com', at: 0 },
  ]
  for (const facts of all)
    for (const locale of ['ja', 'en-US'] as const) {
      const { subject, text, html } = drawPersonMail({ locale, facts, token: TOKEN, origin, sender: 'pay.example.com' })
      for (const written of [subject, text]) assert.doesNotMatch(written, /^https:\/\/evil/m)
      assert.doesNotMatch(subject, /\n/)
      assert.equal(/[ぁ-ん]/.test(text), locale === 'ja')
      assert.ok(text.includes(origin) && html.includes(origin))
    }
})
