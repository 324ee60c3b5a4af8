import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { ROOT } from '../../tools/root.ts'
import { firstProgram } from '../programs/find-programs.ts'
import { eventsToSend, HOOK_SECRET, phpBlockOf } from './signed-events.ts'
import { figuresOf } from './prove.ts'

const ANSWERS = [
  { what: 'signed', status: 200, expected: 200 },
  { what: 'another body', status: 400, expected: 400 },
] as const

test('examples and events that PHP has carried out are counted; one that was judged wrongly fails the proof', () => {
  assert.deepEqual(figuresOf('8.4.1', 29, ANSWERS), { php: '8.4.1', examples: 29, signedAccepted: 1, forgedRefused: 1 })
  const believed = { what: 'another id', status: 200, expected: 400 } as const
  assert.throws(() => figuresOf('8.4.1', 29, [...ANSWERS, believed]), /another id: 200/)
  assert.throws(() => figuresOf('8.4.1', 0, ANSWERS), /shows nothing/)
  assert.throws(() => figuresOf('8.4.1', 29, []), /shows nothing/)
})

test('without PHP the proof says what to install', () => {
  assert.throws(() => firstProgram(['/nowhere'], 'PHP', 'php-cli php-curl'), /apt-get install php-cli php-curl$/)
})

test('the events of the proof are judged by the library of Standard Webhooks as the proof expects', () => {
  const webhook = new Webhook(HOOK_SECRET)
  for (const { what, expected, headers, body } of eventsToSend(Date.now())) {
    if (expected === 200) webhook.verify(body, { ...headers })
    else assert.throws(() => webhook.verify(body, { ...headers }), what)
  }
})

test('the merchant guide has one text in PHP, and it reads what the proof sends', () => {
  const guide = readFileSync(join(ROOT, 'docs', 'merchant-guide.md'), 'utf8')
  const text = phpBlockOf(guide)
  for (const name of ['WEBHOOK_SECRET', 'HTTP_WEBHOOK_ID', 'HTTP_WEBHOOK_TIMESTAMP', 'HTTP_WEBHOOK_SIGNATURE'])
    assert.ok(text.includes(`'${name}'`), name)
  assert.equal(guide.split('```php').length, 2)
  assert.throws(() => phpBlockOf('no text'), /no text in PHP/)
})
