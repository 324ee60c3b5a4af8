import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawnOnce } from './error-pages.ts'

test('an error page is drawn once for each path and language, and every answer has its own nonce', async () => {
  const drawn: string[] = []
  const draw = drawnOnce(async (path, locale, nonce) => {
    drawn.push(`${path} ${locale}`)
    return `<p>${path} ${locale}</p><script nonce="${nonce}"></script><style nonce="${nonce}"></style>`
  })
  const expected = (nonce: string): string =>
    `<p>/404 ja</p><script nonce="${nonce}"></script><style nonce="${nonce}"></style>`
  assert.equal(await draw('/404', 'ja', 'one'), expected('one'))
  assert.equal(await draw('/404', 'ja', 'two'), expected('two'))
  await draw('/404', 'ko', 'x')
  await draw('/500', 'ja', 'x')
  assert.deepEqual(drawn, ['/404 ja', '/404 ko', '/500 ja'])
})

test('an error page that could not be drawn is drawn the next time', async () => {
  let tries = 0
  const draw = drawnOnce(async () => {
    tries += 1
    if (tries === 1) throw new Error('no memory')
    return 'page'
  })
  await assert.rejects(draw('/500', 'ja', 'x'))
  assert.equal(await draw('/500', 'ja', 'x'), 'page')
})
