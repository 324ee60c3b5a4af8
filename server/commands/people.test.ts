import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { besideServer, type BesideServer } from '../../proof/harness/beside-server.ts'
import { runCommand } from '../../proof/harness/run-command.ts'
import { newSecretKey, writeSecretKeys } from '../config/secret-key.ts'
import { systemClock, systemRandom } from '../dependencies.ts'
import { consumeLink } from '../operations/people/links.ts'
import type { Database } from '../store/engine/database.ts'
import { adoptSecretKeys } from '../store/engine/secret-key-check.ts'
import { insertPasskey } from '../store/people/passkeys.ts'
import { findPersonByEmail } from '../store/people/people.ts'

const OWNER = 'owner@example.com'
const SETTINGS = { signIn: 'passkey', sendsMail: true } as const

besideServer('the commands for people, beside a running server', (whenOpen) => {
  let env: BesideServer['env']
  let database: Database
  whenOpen((opened) => {
    ;({ database, env } = opened)
  })
  const run = (...args: string[]) => runCommand(args, env)
  const runJson = async (...args: string[]): Promise<Record<string, unknown>> => {
    const { code, printed, errors } = await run(...args, '--json')
    assert.deepEqual([code, errors], [0, []])
    return JSON.parse(printed.join('')) as Record<string, unknown>
  }
  const cannot = async (line: RegExp, ...args: string[]): Promise<void> => {
    const { code, printed, errors } = await run(...args)
    assert.deepEqual([code, printed], [2, []])
    assert.match(errors.join(), line)
  }
  const invite = (...args: string[]) => ['person', 'invite', '--email', ...args]
  const use = (link: unknown, name = 'Aoyama') => {
    const token = String(link).split('/').at(-1) ?? ''
    const deps = { database, clock: systemClock, random: systemRandom }
    return consumeLink(
      deps,
      SETTINGS,
      { token, name },
      { browserHash: null, browser: 'Firefox, Linux', signedIn: null },
    )
  }

  test('an owner is invited to a shop, an operator to the installation, and both are listed', async () => {
    assert.match((await run('person', 'list')).printed.join(), /^Nobody yet: .*person invite/)
    await cannot(/^--role is "boss": give owner, staff, viewer, operator\.$/, ...invite(OWNER, '--role', 'boss'))
    await cannot(/^--role owner is of one shop: give --merchant too\.$/, ...invite(OWNER, '--role', 'owner'))
    await cannot(/leave out --merchant/, ...invite(OWNER, '--role', 'operator', '--merchant', 'tea'))
    await cannot(/no merchant "x"/, ...invite(OWNER, '--role', 'owner', '--merchant', 'x'))
    await cannot(/email is not an e-mail address/, ...invite('x', '--role', 'operator'))
    const { link, isMailed } = await runJson(...invite('Owner@example.com', '--role', 'owner', '--merchant', 'tea'))
    assert.match(String(link), /^http:\/\/console\.localhost:\d+\/invitation\/[a-z2-7]{32}$/)
    const waiting = await database.rows('SELECT recipient FROM person_mails')
    assert.deepEqual(
      waiting.map(({ recipient }) => recipient),
      isMailed === true ? [OWNER] : [],
    )
    assert.ok('session' in (await use(link)))
    assert.ok(
      'session' in (await use((await runJson(...invite('op@example.com', '--role', 'operator')))['link'], 'Op')),
    )
    const { items } = await runJson('person', 'list')
    assert.deepEqual(items, [
      { email: 'op@example.com', name: 'Op', isOperator: true, shops: [], passkeys: 0 },
      { email: OWNER, name: 'Aoyama', isOperator: false, shops: [{ label: 'tea', role: 'owner' }], passkeys: 0 },
    ])
    assert.match((await run('person', 'list')).printed.join('\n'), /tea: owner/)
  })

  test('a person who has lost the passkey is given a link that works in any browser, although links are switched off', async () => {
    const personId = (await findPersonByEmail(database, OWNER))?.id ?? assert.fail('nobody')
    const facts = { publicKey: 'x', transports: [], name: 'phone', createdAt: 0, lastUsedAt: null, confirmsFrom: 0 }
    await insertPasskey(database, { id: 'key', personId, ...facts }, 0)
    await cannot(/^Nobody has the address x@example\.com/, 'person', 'recover', '--email', 'x@example.com')
    const { link } = await runJson('person', 'recover', '--email', OWNER)
    assert.match(String(link), /\/sign-in\/[a-z2-7]{32}$/)
    assert.ok('session' in (await use(link)))
    assert.ok('refused' in (await use(link)))
  })

  test('no link is made where the console is switched off, and the mend is named', async () => {
    const lan = { ...env, PUBLIC_BASE: 'http://pay.lan' }
    const links = await database.rows('SELECT hash FROM person_links')
    for (const args of [invite('new@example.com', '--role', 'operator'), ['person', 'recover', '--email', OWNER]]) {
      const { code, printed, errors } = await runCommand(args, lan)
      assert.deepEqual([code, printed], [2, []])
      assert.match(errors.join(), /^http:\/\/pay\.lan has no console.*set PUBLIC_BASE to an address with https:\/\//)
    }
    assert.deepEqual(await database.rows('SELECT hash FROM person_links'), links)
  })

  test('a backup holds people and passkeys, and nobody is signed in after a restore', async () => {
    const [key, folder] = [newSecretKey(), env['DATA_DIR'] ?? '']
    await writeSecretKeys(folder, [key])
    await adoptSecretKeys(database, [key])
    const file = join(folder, 'people.backup')
    await runJson('backup', file)
    const backup = new DatabaseSync(file, { readOnly: true })
    const count = (table: string): unknown => backup.prepare(`SELECT COUNT(*) AS rows FROM ${table}`).get()?.['rows']
    assert.deepEqual([count('people'), count('passkeys'), count('memberships')], [2, 1, 1])
    for (const table of ['person_sessions', 'person_links', 'person_mails']) {
      assert.equal(count(table), 0, table)
      assert.notEqual((await database.rows(`SELECT * FROM ${table}`)).length, 0, table)
    }
    backup.close()
  })

  test('the last owner is not removed; another person is, and is then erased from the audit list', async () => {
    await cannot(/last owner of tea: nothing was changed/, 'person', 'remove', '--email', OWNER)
    await cannot(/signs in to the console.*person remove/, 'erase', '--email', 'op@example.com')
    await runJson('person', 'remove', '--email', 'OP@example.com')
    await cannot(/^Nobody has the address/, 'person', 'remove', '--email', 'op@example.com')
    await runJson('erase', '--email', 'op@example.com')
    for (const table of ['audit_lines', 'person_links', 'person_mails', 'people'])
      assert.ok(!JSON.stringify(await database.rows(`SELECT * FROM ${table}`)).includes('op@example.com'), table)
    assert.ok(JSON.stringify(await database.rows('SELECT * FROM audit_lines')).includes('[erased]'))
  })
})
