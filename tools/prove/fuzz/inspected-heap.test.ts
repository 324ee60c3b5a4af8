import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { readMemory } from './inspected-heap.ts'

const MEBIBYTE = 2 ** 20

/** Runs these lines in a process of its own and reads its memory once they have run. */
const memoryOf = async (lines: string): Promise<number> => {
  const child = spawn(
    process.execPath,
    ['--inspect=127.0.0.1:0', '-e', `${lines}; setInterval(() => {}, 1000); console.error('done')`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  try {
    let url = ''
    for await (const line of createInterface({ input: child.stderr })) {
      url = /^Debugger listening on (\S+)/.exec(line)?.[1] ?? url
      if (line === 'done') break
    }
    return (await readMemory(url)).heapBytes / MEBIBYTE
  } finally {
    child.kill('SIGKILL')
  }
}

test('memory that is kept is counted, and memory that was let go is not', async () => {
  const fill = 'Array.from({ length: 1e6 }, (_, place) => ({ place }))'
  const kept = await memoryOf(`globalThis.kept = ${fill}`)
  const letGo = await memoryOf(fill)
  assert.ok(kept - letGo > 15, `${kept} and ${letGo} MiB`)
})
