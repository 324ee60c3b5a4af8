import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { after, before, describe, test } from 'node:test'
import { ChangeSettingsBody } from '#contract/merchant/settings.ts'
import { endApp } from '../../../proof/harness/end-server.ts'
import { openSqliteInMemory } from '../../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../../proof/harness/merchant-client.ts'
import { runCommand } from '../../../proof/harness/run-command.ts'
import { API_KEYS, testKey } from '../../../proof/harness/test-merchants.ts'
import { insertKey } from '../../store/merchant/keys.ts'
import { readSetting, SETTING_OPTIONS } from './setting-options.ts'

const READ_KEY = `sk_test_${'r'.repeat(32)}`
const LOGO = fileURLToPath(new URL('../../demo/logo.png', import.meta.url))
const LIMIT_BYTES = 2 * 1024 * 1024

describe('the commands of the shop over HTTP', { concurrency: 1 }, () => {
  let client: MerchantClient
  let folder: string
  let env: Record<string, string>
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kaikei-shop-'))
    client = await openMerchantClient(await openSqliteInMemory())
    const { app, deps } = client.server
    await insertKey(deps.database, testKey(READ_KEY, 'tea-id', { access: 'read' }), 0)
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    env = { KAIKEI_URL: `http://localhost:${port}/merchant/v1`, KAIKEI_KEY: API_KEYS.tea, INIT_CWD: folder }
  })
  after(async () => {
    await endApp(client.server.app)
    await rm(folder, { recursive: true, force: true })
  })

  const run = (...args: string[]) => runCommand(args, env)
  const runJson = async (...args: string[]): Promise<Record<string, unknown>> => {
    const { code, printed, errors } = await run(...args, '--json')
    assert.deepEqual([code, printed.length, errors], [0, 1, []], args.join(' '))
    return JSON.parse(printed[0] ?? '') as Record<string, unknown>
  }
  const cannot = async (line: RegExp, ...args: string[]): Promise<void> => {
    const { code, printed, errors } = await run(...args)
    assert.deepEqual([code, printed, errors.length], [2, [], 1], `${args.join(' ')} ${errors.join()}`)
    assert.match(errors[0] ?? '', line)
  }

  test('settings are shown below the names of their options, and changed by them; what is left out stays', async () => {
    const before0 = await runJson('settings', 'show')
    const shown = await run('settings', 'show')
    assert.ok(shown.printed.includes(`shop-name: ${String(before0['shopName'])}`), shown.printed.join('\n'))
    assert.ok(shown.printed.includes('link-hosts: -'))
    const changed = await runJson(
      ...['settings', 'set', '--shop-name', '青山茶舗', '--color-code', '#006d77', '--allow-exemption', 'true'],
      ...['--link-hosts', 'shop.example.com, www.example.com', '--locale', 'ja', '--accepted-card-brands', 'visa,jcb'],
    )
    const expected = {
      shopName: '青山茶舗',
      colorCode: '#006d77',
      allowExemption: true,
      linkHosts: ['shop.example.com', 'www.example.com'],
      locale: 'ja_JP',
      acceptedCardBrands: ['visa', 'jcb'],
    }
    assert.deepEqual(changed, { ...before0, ...expected })
    const emptied = ['settings', 'set', '--link-hosts', '', '--locale', '', '--accepted-card-brands', '']
    const { printed } = await run(...emptied)
    for (const line of ['link-hosts: -', 'locale: -', 'accepted-card-brands: -', 'shop-name: 青山茶舗'])
      assert.ok(printed.includes(line), line)
  })

  test('a setting that cannot be is refused in words, and nothing is changed', async () => {
    const before0 = await runJson('settings', 'show')
    await cannot(/^settings set does not say what to set: see /, 'settings', 'set')
    await cannot(/^--allow-exemption must be true or false\.$/, 'settings', 'set', '--allow-exemption', 'yes')
    await cannot(/^--font-type must be one of serif, sans-serif\.$/, 'settings', 'set', '--font-type', 'comic')
    await cannot(/^--accepted-card-brands must be some of visa,/, 'settings', 'set', '--accepted-card-brands', 'visa,x')
    await cannot(
      /^invalid_field: colorCode must be a hash sign and six digits .* #29abe9\. Request-Id: /,
      ...['settings', 'set', '--color-code', 'red'],
    )
    await cannot(
      /^invalid_field: registrationNumber must be the letter T and 13 digits/,
      ...['settings', 'set', '--registration-number', 'T123'],
    )
    await cannot(
      /^settings set has no option --shopname: did you mean --shop-name\?/,
      'settings',
      'set',
      '--shopname',
      'x',
    )
    const read = await runCommand(['settings', 'set', '--shop-name', 'x'], { ...env, KAIKEI_KEY: READ_KEY })
    assert.match(read.errors.join(), /^key_not_allowed: /)
    assert.deepEqual(await runJson('settings', 'show'), before0)
  })

  test('every field of the contract has an option, and a field of a field too', () => {
    const fields = Object.keys(ChangeSettingsBody.properties)
    const named = new Set<string | undefined>([...SETTING_OPTIONS.values()].map(({ path }) => path[0]))
    assert.deepEqual(named, new Set(fields))
    for (const [name, { help }] of SETTING_OPTIONS) {
      assert.match(name, /^[a-z]+(-[a-z]+)*$/)
      assert.doesNotMatch(help, /Null/, name)
    }
  })

  test('an empty text takes away what may be missing, and is nothing else', () => {
    const flag = { path: ['a', 'b'], kind: { is: 'flag' }, mayBeMissing: true, help: '' } as const
    assert.deepEqual(readSetting('a-b', flag, ''), { value: null })
    assert.deepEqual(readSetting('a-b', { ...flag, mayBeMissing: false }, ''), {
      problem: '--a-b must be true or false.',
    })
  })

  test('a picture is uploaded from where the command was typed, and removed', async () => {
    const logo = await runJson('picture', 'set', 'logo', LOGO)
    assert.deepEqual((await runJson('settings', 'show'))['logo'], logo)
    await writeFile(join(folder, 'mine.png'), await readFile(LOGO))
    const { printed } = await run('picture', 'set', 'cover', 'mine.png')
    assert.match(printed.join(), /^The cover has \d+ × \d+ pixels: http:\S+\.png$/)
    assert.deepEqual((await run('picture', 'remove', 'logo')).printed, ['The shop has no logo any more.'])
    assert.equal((await runJson('settings', 'show'))['logo'], null)
    assert.deepEqual(await runJson('picture', 'remove', 'logo'), {})
  })

  test('a file that is no picture of a shop is refused with the mend', async () => {
    await cannot(/^A shop has two pictures: say logo or cover\.$/, 'picture', 'set', 'favicon', LOGO)
    await cannot(/none\.png cannot be read \(ENOENT.*give a file with a PNG/, 'picture', 'set', 'logo', 'none.png')
    await writeFile(join(folder, 'text.png'), 'hello')
    await cannot(/^image_refused: .*PNG, JPEG or WebP/, 'picture', 'set', 'logo', 'text.png')
    const large = join(folder, 'large.png')
    await writeFile(large, await readFile(LOGO))
    await truncate(large, LIMIT_BYTES)
    // Of exactly the size it is taken, and one byte more is not even sent.
    assert.equal((await run('picture', 'set', 'logo', large)).code, 0)
    await truncate(large, LIMIT_BYTES + 1)
    await cannot(/large\.png: The picture is larger than 2 MiB\. Save it/, 'picture', 'set', 'logo', large)
  })

  test('the summary has the days on which money moved, and the sum of all', async () => {
    assert.match(
      (await run('summary', '--from', '2020-01-01', '--to', '2020-01-01')).printed.join(),
      /no money has moved/,
    )
    const { id } = await client.createPaid({ amount: 1980 })
    await client.refund(id, { refundId: 'r1', amount: 980 })
    const { code, printed } = await run('summary')
    assert.equal(code, 0)
    assert.match(printed[0] ?? '', /^day in Japan +charges +charged yen +refunds +refunded yen +net yen$/)
    assert.match(printed[1] ?? '', /^20\d\d-\d\d-\d\d +1 +1,980 +1 +980 +1,000$/)
    assert.match(printed[2] ?? '', /^all days +1 +1,980 +1 +980 +1,000$/)
    assert.match(printed[3] ?? '', /^From 20[\d-]+ to 20[\d-]+; on the days that are left out nothing has moved\.$/)
    assert.equal(((await runJson('summary'))['total'] as Record<string, unknown>)['netAmount'], 1000)
    await cannot(/^invalid_field: from must be a day such as 2026-11-30\./, 'summary', '--from', 'May')
    await cannot(/^invalid_field: from is too early: ask for at most 366 days/, 'summary', '--from', '2020-01-01')
  })

  test('the export is the file of the API, printed or written, with Japanese headings and taxes where they are asked for', async () => {
    await client.createPaid({ amount: 5, subject: 'a\u001b[31mb' })
    const { rawPayload } = await client.send('/exports/movements.csv?locale=ja_JP&taxes=true')
    const file = join(folder, 'movements.csv')
    const asked = ['export', '--locale', 'ja', '--taxes', 'true']
    assert.deepEqual((await run(...asked, '--out', 'movements.csv')).printed, [`${file} is written.`])
    assert.deepEqual(await readFile(file), rawPayload)
    assert.deepEqual(await runJson(...asked, '--out', 'movements.csv'), { file })
    assert.equal((await runJson(...asked))['csv'], rawPayload.toString('utf8'))
    const { printed } = await run(...asked)
    assert.equal(`${printed[0]}\n`, rawPayload.toString('utf8').replaceAll('\u001b', ' '))
    assert.match(
      (await run('export')).printed.join(),
      /^\uFEFFdate,time,kind,.*,lastFour,chargebackAmount,reversedAmount,chargebackId\r\n/,
    )
    await cannot(/^--locale takes one word: ja\./, 'export', '--locale', 'fr')
    await cannot(/^invalid_field: taxes must be one of true, false\./, 'export', '--taxes', 'yes')
    await cannot(/^--out cannot be written \(ENOENT/, 'export', '--out', join(folder, 'none', 'x.csv'))
  })
})
