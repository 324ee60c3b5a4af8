import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formsIn, frameIn, messageIn } from './html-forms.ts'

test('forms are read with their fields, unescaped, and with the time that their script waits', () => {
  const page = `<form method="post"
      action="https://bank.example/a?b=1&amp;c=2" data-wait-ms="250"><input type="hidden" name="x" value="&quot;&lt;&#39;" />
      <input
        id="code"
        name="code"
      /></form><form id="second" action="/next" data-wait-ms=""></form><form action="/last"><button name="n">b</button></form>`
  assert.deepEqual(formsIn(page), [
    { id: '', action: 'https://bank.example/a?b=1&c=2', fields: { x: '"<\'', code: '' }, waitMs: 250 },
    { id: 'second', action: '/next', fields: {}, waitMs: null },
    { id: '', action: '/last', fields: {}, waitMs: 0 },
  ])
})

test('a page without a form, a frame or a message has none, and one that breaks off is read as far as it goes', () => {
  assert.deepEqual([formsIn('<p>'), frameIn('<p>'), messageIn('<p>')], [[], null, null])
  assert.deepEqual(formsIn('<form action="/x'), [{ id: '', action: '', fields: {}, waitMs: 0 }])
  assert.equal(frameIn('<iframe title="x" data-src="http://a/?b&amp;c"></iframe>'), 'http://a/?b&c')
  assert.equal(messageIn('<script nonce="n">((x) => 0)({"event":"3DS_DO_AUTH"})</script>'), '3DS_DO_AUTH')
})

test('a large page costs no more than its length', () => {
  const page = '<form <input name="'.repeat(5000)
  assert.equal(formsIn(page).length, 5000)
})
