import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { runAndCapture } from './exit-with-parent.ts'
import { committed, countCommits, whollyCommitted } from './git.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const WHO = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']

const gitIn = async (folder: string, ...args: string[]): Promise<void> => {
  const { code, output } = await runAndCapture('git', args, { cwd: folder })
  assert.equal(code, 0, output)
}

const commitAll = async (folder: string): Promise<void> => {
  await gitIn(folder, 'add', '.')
  await gitIn(folder, ...WHO, 'commit', '--quiet', '--message', 'one')
}

const repository = async (t: TestContext): Promise<string> => {
  const folder = temporaryFolder(t, { 'one.txt': '1' })
  await gitIn(folder, 'init', '--quiet')
  await commitAll(folder)
  return folder
}

test('a clean working tree gives its commit; changed and new files are refused by name', async (t) => {
  const folder = await repository(t)
  assert.match(await committed(folder), /^[0-9a-f]{40}$/)
  writeFileSync(join(folder, 'one.txt'), '2')
  writeFileSync(join(folder, 'movements.csv'), '')
  await assert.rejects(committed(folder), {
    message: [
      'the working tree has changes that belong to no commit:',
      '  one.txt',
      '  movements.csv (in no commit yet)',
      'commit, stash or delete them, then try again',
    ].join('\n'),
  })
})

test('of many changed files the first twenty are named, and the others counted', async (t) => {
  const folder = await repository(t)
  for (let file = 10; file < 30; file += 1) writeFileSync(join(folder, `${file}.txt`), '')
  await assert.rejects(committed(folder), /29\.txt \(in no commit yet\)\ncommit/)
  writeFileSync(join(folder, '30.txt'), '')
  await assert.rejects(committed(folder), /29\.txt \(in no commit yet\)\n {2}and 1 more\n/)
})

test('changed figures are allowed before a measurement, and not before a release, which contains them', async (t) => {
  const folder = await repository(t)
  mkdirSync(join(folder, 'docs'))
  writeFileSync(join(folder, 'docs', 'proof.json'), '{}')
  writeFileSync(join(folder, 'README.md'), '')
  assert.match(await committed(folder), /^[0-9a-f]{40}$/)
  await assert.rejects(whollyCommitted(folder), /docs/)
})

test('commits are counted that touch the paths, and nothing is known of a commit that is not there', async (t) => {
  const folder = await repository(t)
  const first = await committed(folder)
  const paths = ['server', ':(exclude,glob)**/*.test.ts']
  for (const file of ['server/a.ts', 'server/a.test.ts', 'docs/a.md', 'server/store/b.ts']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), '1')
    await commitAll(folder)
  }
  assert.equal(await countCommits(first, paths, folder), 2)
  assert.equal(await countCommits(await committed(folder), paths, folder), 0)
  assert.equal(await countCommits('0'.repeat(40), paths, folder), null)
})
