import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CANNOT_RUN_HERE, runAll, type Ended } from './run-all.ts'

const ENDS: Readonly<Record<string, Ended>> = {
  fuzz: { code: 0, said: '1000 requests\n' },
  lists: { code: 1, said: 'counting\n3 look at too many pages\n' },
  killed: { code: null, said: '' },
  crashed: { code: 1, said: 'main.ts:2\n  throw x\n\nError: no room\n    at a.ts:1\n\nNode.js v26.10.0\n' },
  browsers: { code: CANNOT_RUN_HERE, said: 'cannot run here: Firefox was not found\n' },
}

const runThese = async (...names: string[]): Promise<readonly [code: number, text: string]> => {
  let text = ''
  const asked: string[] = []
  const code = await runAll(
    names,
    (part) => (text += part),
    (name) => {
      asked.push(name)
      return Promise.resolve(ENDS[name] ?? assert.fail(name))
    },
  )
  assert.deepEqual(asked, names)
  return [code, text.replaceAll(/\d+\.\d s/g, '0 s')]
}

test('one that fails or is killed does not stop the rest, and the end says what became of each and why', async () => {
  assert.deepEqual(await runThese('lists', 'killed', 'crashed', 'browsers', 'fuzz'), [
    1,
    [
      'failed   lists     0 s  3 look at too many pages',
      'failed   killed    0 s  ',
      'failed   crashed   0 s  Error: no room',
      'skipped  browsers  0 s  cannot run here: Firefox was not found',
      'held     fuzz      0 s',
      '1 held, 3 failed, 1 skipped\n',
    ].join('\n'),
  ])
})

test('what was skipped is no failure, but where nothing ran nothing was shown', async () => {
  const [code, text] = await runThese('browsers', 'fuzz')
  assert.equal(code, 0)
  assert.match(text, /1 held, 0 failed, 1 skipped/)
  assert.equal((await runThese('browsers'))[0], 1)
})
