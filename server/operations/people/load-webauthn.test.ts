import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { WEBAUTHN_PARTS } from './load-webauthn.ts'

const FILE = JSON.stringify(new URL('load-webauthn.ts', import.meta.url).href)

/** In a process of its own: in this one something else may have loaded them. */
const printed = async (program: string): Promise<string> =>
  (await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])).stdout

test('the library that verifies passkeys is loaded part by part, each after a pause in which a payment runs', async () => {
  const program = `
    const cpuMs = () => {
      const { user, system } = process.threadCpuUsage()
      return (user + system) / 1000
    }
    const { loadWebAuthn, loadWebAuthnInParts } = await import(${FILE})
    const pieces = []
    let began = null
    await loadWebAuthnInParts(async () => {
      if (began !== null) pieces.push(cpuMs() - began)
      await new Promise((resolve) => setImmediate(resolve))
      began = cpuMs()
    })
    const whole = pieces.reduce((sum, each) => sum + each, cpuMs() - began)
    const before = cpuMs()
    await loadWebAuthn()
    console.log(JSON.stringify({ pieces: pieces.length, longest: Math.max(...pieces) / whole, after: cpuMs() - before }))`
  const { pieces, longest, after } = JSON.parse(await printed(program))
  assert.equal(pieces, WEBAUTHN_PARTS.length)
  // A third of the whole is far above the fifth that it is.
  assert.ok(longest < 1 / 3, `the longest part is ${longest} of the whole`)
  assert.ok(after < 10, `${after} ms are left for the first passkey`)
})

test('every part is one that the library brings with it', () => {
  for (const part of WEBAUTHN_PARTS) assert.match(import.meta.resolve(part), /\/node_modules\//, part)
})
