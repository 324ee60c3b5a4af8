import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageIdOf } from '../../server/background/mail/send-mail.ts'
import { auditMails } from './mail-audit.ts'

const stored = (mailId: string, state = 'sent') => ({ merchantId: 'm1', mailId, state })
const copyOf = (mailId: string) => ({
  source: `From: a@example.com\r\nMessage-ID: <${messageIdOf({ merchantId: 'm1', mailId })}@example.com>\r\n\r\nHello`,
})

test('mails that arrived once or more often under their own Message-ID are well, and copies are counted', () => {
  const { mails, mailCopies, findings } = auditMails(
    [stored('a'), stored('b')],
    [copyOf('a'), copyOf('b'), copyOf('a')],
  )
  assert.deepEqual([mails, mailCopies, findings], [2, 1, []])
})

test('a mail that never arrived is lost, and so is one that nobody has sent, or that arrived without a record of it', () => {
  const kindsOf = (state: string, received: { source: string }[]) =>
    auditMails([stored('a', state)], received).findings.map(({ kind, description }) => `${kind}: ${description}`)
  assert.deepEqual(kindsOf('sent', []), ['lost: the mail a is sent and has not arrived'])
  assert.deepEqual(kindsOf('waiting', []), ['lost: the mail a is waiting and has not arrived'])
  assert.deepEqual(kindsOf('given_up', [copyOf('a')]), ['lost: the mail a is given_up and has arrived'])
})

test('a copy under a Message-ID of its own, or under none, is no copy', () => {
  for (const strange of [copyOf('b'), { source: 'From: a@example.com\r\n\r\nHello' }]) {
    const { findings } = auditMails([stored('a')], [copyOf('a'), strange])
    assert.deepEqual(
      findings.map(({ kind }) => kind),
      ['untrue'],
    )
  }
})
