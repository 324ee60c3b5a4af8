import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { relay } from './client-script.ts'

test('the frame of a challenge is laid out before its page is loaded: Chromium would never draw it', () => {
  const steps: string[] = []
  const frame = {
    dataset: { src: 'https://3ds.example/challenge' },
    getBoundingClientRect: () => steps.push('laid out'),
    set src(address: string) {
      steps.push(address)
    },
  }
  const setup = { pageOrigin: 'https://tea.example', orderCode: 'o', factsPath: null, announcesItself: false }
  runInNewContext(`(${relay.toString()})(${JSON.stringify(setup)})`, {
    document: { querySelector: () => frame },
    window: { addEventListener: () => steps.push('listens') },
  })
  assert.deepEqual(steps, ['listens', 'laid out', 'https://3ds.example/challenge'])
})
