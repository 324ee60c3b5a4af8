import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutHtml } from './react-aria.ts'

test('the announcer empties its logs without HTML', () => {
  assert.equal(
    withoutHtml("a && log.innerHTML = ''; b.innerHTML = ''"),
    'a && log.replaceChildren(); b.replaceChildren()',
  )
})

test('an announcer that writes other HTML, or none any more, stops the build', () => {
  assert.throws(() => withoutHtml("a.innerHTML = ''; b.innerHTML = text"), /has changed/)
  assert.throws(() => withoutHtml('log.replaceChildren()'), /has changed/)
})
