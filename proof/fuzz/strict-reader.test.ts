import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemOfMail, strictText } from './strict-reader.ts'

test('bytes of Shift_JIS, of half a surrogate and of an overlong zero are no text', () => {
  for (const hex of ['93fa967b9283', '636166e9', 'eda0bd', 'c080'])
    assert.equal(strictText(Buffer.from(hex, 'hex')), undefined)
  assert.equal(strictText(Buffer.from('\ufeff日本茶🍵')), '\ufeff日本茶🍵')
})

const mail = (subject: string, encoding: string, body: string): string =>
  `Subject: ${subject}\r\nMIME-Version: 1.0\r\n\r\n--x\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n--x--\r\n`

test('a mail is ASCII around UTF-8, in its subject and in each of its parts', () => {
  const subject = `=?UTF-8?B?${Buffer.from('領収書').toString('base64')}?=`
  const body = Buffer.from('お支払い🍵').toString('base64')
  for (const [encoding, text] of [
    ['base64', body],
    ['quoted-printable', '=E8=8C=\r\n=B6 1,980'],
    ['7bit', 'tea'],
  ] as const)
    assert.equal(problemOfMail(mail(subject, encoding, text)), undefined, encoding)
  assert.equal(problemOfMail(mail('=?UTF-8?Q?=E8=8C?=', '7bit', 'tea')), 'a mail that is no UTF-8')
  assert.equal(problemOfMail(mail(subject, 'base64', '7aC9')), 'a mail that is no UTF-8')
  assert.equal(problemOfMail(mail(subject, 'quoted-printable', 'caf=E9')), 'a mail that is no UTF-8')
  assert.equal(problemOfMail(mail('領収書', '7bit', 'tea')), 'a mail with bytes beyond ASCII')
})
