import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { loadFrame } from './load-frame.ts'

test('a frame is laid out before its page is loaded: Chromium would never draw the challenge of a payment', () => {
  const steps: string[] = []
  loadFrame({
    dataset: { src: 'https://3ds.example/challenge' },
    getBoundingClientRect: () => {
      steps.push('laid out')
      const size = { x: 0, y: 0, width: 0, height: 0, top: 0, right: 0, bottom: 0, left: 0 }
      return { ...size, toJSON: () => size }
    },
    get src() {
      return ''
    },
    set src(address: string) {
      steps.push(address)
    },
  })
  assert.deepEqual(steps, ['laid out', 'https://3ds.example/challenge'])
})

test('no frame of the page or the console is inserted with the address of its page', () => {
  const framed = globSync(['page/**/*.tsx', 'console/**/*.tsx']).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/<iframe\b[^]*?\/>/g)].map(([frame]) => ({ file, frame })),
  )
  assert.equal(framed.length, 4)
  for (const { file, frame } of framed) {
    assert.match(frame, /\bdata-src=/, file)
    assert.match(frame, /\bref=|\.\.\.hidden/, file)
    assert.doesNotMatch(frame, /\ssrc=/, file)
  }
})
