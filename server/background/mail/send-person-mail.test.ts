import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { MINUTE_MS } from '#contract/jst.ts'
import { openSqliteInMemory } from '../../../proof/harness/databases.ts'
import { virtualClock, type TestClock } from '../../../proof/harness/test-clocks.ts'
import { createLog } from '../../log.ts'
import type { Database } from '../../store/engine/database.ts'
import type { MailOutcome } from '../../store/outbox/mail-claims.ts'
import { findPersonMailsDue, personMailsWrite, type PersonMailFacts } from '../../store/people/person-mails.ts'
import { drawPersonMail } from './draw-person-mail.ts'
import type { Letter } from './mailer.ts'
import { sendPersonMail } from './send-person-mail.ts'

const TOKEN = 'a'.repeat(32)
const origin = 'https://console.pay.example.com'
const publicBase = new URL('https://pay.example.com')
let database: Database
let clock: TestClock
let lines: string[]

beforeEach(async () => {
  database = await openSqliteInMemory()
  clock = virtualClock()
  lines = []
  const facts = { kind: 'sign_in', token: TOKEN } as const
  const mail = {
    id: 'm',
    recipient: 'a@example.com',
    locale: 'ja',
    facts,
    endsAt: clock.now() + 10 * MINUTE_MS,
  } as const
  await database.writeAll(personMailsWrite([{ ...mail, isSent: true }], clock.now()))
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
  const deps = { database, clock, publicBase, log: createLog('debug', (line) => lines.push(line), clock.now) }
  for (const due of await findPersonMailsDue(database, clock.now(), 10)) await sendPersonMail(deps, mailer, due)
  return letters
}
const rowsLeft = async (): Promise<number> => (await database.rows('SELECT id FROM person_mails')).length

test('a link is mailed once, and its token is gone with its row', async () => {
  const [letter = assert.fail('no letter')] = await send('sent')
  assert.ok(letter.text.includes(`${origin}/sign-in/${TOKEN}`))
  assert.deepEqual([letter.recipient, letter.replyTo, letter.locale], ['a@example.com', null, 'ja'])
  assert.equal(await rowsLeft(), 0)
  assert.deepEqual(await send('sent'), [])
})

test('one that is refused is forgotten too', async () => {
  await send('refused')
  assert.equal(await rowsLeft(), 0)
  assert.match(lines.join(), /a mail was refused/)
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
  assert.doesNotMatch(lines.join(), new RegExp(`${TOKEN}|a@example`))
})

test('every mail to a person is drawn in Japanese and in English, and holds no line that its facts could begin', () => {
  const name = 'Eve\nhttps://evil.example'
  const all: readonly PersonMailFacts[] = [
    { kind: 'sign_in', token: TOKEN },
    { kind: 'invitation', token: TOKEN, shop: name },
    { kind: 'invitation', token: TOKEN, shop: null },
    { kind: 'recovery', name, email: 'a@example.com', at: 0 },
  ]
  for (const facts of all)
    for (const locale of ['ja', 'en-US'] as const) {
      const { subject, text, html } = drawPersonMail({ locale, facts, origin, sender: 'pay.example.com' })
      for (const written of [subject, text]) assert.doesNotMatch(written, /^https:\/\/evil/m)
      assert.doesNotMatch(subject, /\n/)
      assert.equal(/[ぁ-ん]/.test(text), locale === 'ja')
      assert.ok(text.includes(origin) && html.includes(origin))
    }
})
