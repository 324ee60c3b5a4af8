import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CANNOT_RUN_HERE, runAll, type Ended } from './run-all.ts'

const ENDS: Readonly<Record<string, Ended>> = {
  fuzz: { code: 0, lastLine: '1000 requests' },
  lists: { code: 1, lastLine: '3 look at too many pages' },
  killed: { code: null, lastLine: '' },
  browsers: { code: CANNOT_RUN_HERE, lastLine: 'Firefox was not found' },
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
  assert.deepEqual(await runThese('lists', 'killed', 'browsers', 'fuzz'), [
    1,
    [
      'failed   lists     0 s  3 look at too many pages',
      'failed   killed    0 s  ',
      'skipped  browsers  0 s  Firefox was not found',
      'held     fuzz      0 s',
      '1 held, 2 failed, 1 skipped\n',
    ].join('\n'),
  ])
})

test('what was skipped is no failure, but where nothing ran nothing was shown', async () => {
  const [code, text] = await runThese('browsers', 'fuzz')
  assert.equal(code, 0)
  assert.match(text, /1 held, 0 failed, 1 skipped/)
  assert.equal((await runThese('browsers'))[0], 1)
})
