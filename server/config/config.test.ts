import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { readConfig, type Config } from './config.ts'
import { RETENTION } from '#payment/retention.ts'

type Environment = Record<string, string>

const configOf = (env: Environment): Config => {
  const reading = readConfig(env)
  if (!reading.ok) assert.fail(`refused: ${reading.problem}`)
  return reading.config
}

const problemOf = (env: Environment): string => {
  const reading = readConfig(env)
  if (reading.ok) assert.fail(`${JSON.stringify(env)} was accepted`)
  return reading.problem
}

test('a server without settings takes sandbox payments on this machine alone', () => {
  const { publicBase, dataDir, ...rest } = configOf({})
  assert.equal(publicBase.href, 'http://localhost:3000/')
  assert.equal(dataDir, resolve('data'))
  assert.deepEqual(rest, {
    port: 3000,
    host: '127.0.0.1',
    databaseUrl: null,
    databasePool: 10,
    secretKey: null,
    sharedCardHold: null,
    earlierSecretKeys: [],
    migrates: true,
    retention: RETENTION,
    sandbox: {
      origin: 'http://127.0.0.1:3001',
      own: { port: 3001 },
      mailboxPort: 3002,
      timeScale: 1,
      threeDSOrigin: null,
      bankOrigin: null,
    },
    demo: { merchantKey: null, isLiveAtStripe: false },
    gatewayTimeoutMs: 20_000,
    webhookDenied: [],
    worker: 'on',
    drainMs: 1000,
    metricsPort: null,
    metricsHost: '127.0.0.1',
    threeDS: {
      server: {
        apiUrl: new URL('http://127.0.0.1:3001'),
        merchantId: 'sandbox',
        merchantToken: null,
        clientCertificate: null,
        caPath: null,
        timeoutMs: 10_000,
        isSandbox: true,
      },
      messageDomains: ['http://3ds.localhost:3000'],
    },
    mail: {
      host: '127.0.0.1',
      port: 3002,
      tls: 'none',
      login: null,
      from: 'receipts@localhost',
      dkim: null,
      isSandbox: true,
    },
    trustedProxies: [],
    consoleSignIn: 'link',
    hsts: 'host',
    footer: {
      aboutUrl: 'http://localhost:3000/about?locale={locale}',
      privacyUrl: 'http://localhost:3000/privacy?locale={locale}',
      badgeText: null,
    },
    logLevel: 'warn',
  })
})

test('an empty variable is an unset one', () => {
  const names = [
    'THREE_DS_API_URL',
    'THREE_DS_MESSAGE_DOMAINS',
    'PORT',
    'HOST',
    'PUBLIC_BASE',
    'DATABASE_URL',
    'SANDBOX',
    'TRUSTED_PROXIES',
    'LOG_LEVEL',
    'DATA_DIR',
    'METRICS_PORT',
  ]
  assert.deepEqual(configOf(Object.fromEntries(names.map((name) => [name, ' ']))), configOf({}))
})

interface Range {
  readonly name: string
  readonly read: (config: Config) => number | null | undefined
  readonly accepted: readonly string[]
  readonly refused: readonly string[]
  readonly hint: RegExp
}

const ranges: readonly Range[] = [
  {
    name: 'PORT',
    read: ({ port }) => port,
    accepted: ['1', '65533'],
    refused: ['0', '65534', '-1', '3000.5', 'http', 'NaN', '3000 3001'],
    hint: /from 1 to 65533|whole number/,
  },
  {
    name: 'SANDBOX_PORT',
    read: ({ sandbox }) => sandbox?.own?.port,
    accepted: ['1', '65534'],
    refused: ['0', '65535', '1.5', 'x'],
    hint: /from 1 to 65534|whole number/,
  },
  {
    name: 'SANDBOX_TIME_SCALE',
    read: ({ sandbox }) => sandbox?.timeScale,
    accepted: ['0.1', '0.5', '1'],
    refused: ['0.09', '1.01', '0', '-1', 'fast', 'Infinity'],
    hint: /from 0\.1 to 1/,
  },
  {
    name: 'GATEWAY_TIMEOUT_MS',
    read: ({ gatewayTimeoutMs }) => gatewayTimeoutMs,
    accepted: ['100', '120000'],
    refused: ['99', '120001', '100.5', 'soon'],
    hint: /from 100 to 120000|whole number/,
  },
  {
    name: 'DRAIN_MS',
    read: ({ drainMs }) => drainMs,
    accepted: ['0', '300000'],
    refused: ['-1', '300001', '0.5', 'long'],
    hint: /from 0 to 300000, or leave it unset for 1000\.$|whole number/,
  },
  {
    name: 'DATABASE_POOL',
    read: ({ databasePool }) => databasePool,
    accepted: ['2', '200'],
    refused: ['1', '201', '10.5', 'many'],
    hint: /from 2 to 200|whole number/,
  },
  {
    name: 'METRICS_PORT',
    read: ({ metricsPort }) => metricsPort,
    accepted: ['1', '65535'],
    refused: ['0', '65536', '9464.5', 'on'],
    hint: /from 1 to 65535, or leave it unset for none\.$|whole number/,
  },
]

for (const { name, read, accepted, refused, hint } of ranges) {
  test(`${name} is taken from one end of its range to the other and refused one step outside`, () => {
    for (const value of accepted) assert.equal(read(configOf({ [name]: value })), Number(value))
    for (const value of refused) {
      const problem = problemOf({ [name]: value })
      assert.ok(problem.startsWith(`${name} is "${value}": set it to a`), problem)
      assert.match(problem, hint)
    }
  })
}

test('the mailbox of the sandbox is one port above it, and can share neither the server’s port nor that of the metrics', () => {
  assert.equal(configOf({ SANDBOX_PORT: '4000' }).sandbox?.mailboxPort, 4001)
  assert.match(problemOf({ PORT: '4001', SANDBOX_PORT: '4000' }), /^SANDBOX_PORT is 4000, and its mailbox would be at/)
  assert.match(problemOf({ PORT: '4000', METRICS_PORT: '4002' }), /^METRICS_PORT is 4002, which the mailbox at SANDBOX/)
})

test('a release has no mailbox: its sandbox takes one port, and without SMTP_URL no mail is sent', () => {
  const ofRelease = (env: Environment) => {
    const reading = readConfig(env, false)
    return reading.ok ? reading.config : assert.fail(reading.problem)
  }
  const config = ofRelease({ PORT: '4001', SANDBOX_PORT: '4000' })
  assert.deepEqual([config.sandbox?.mailboxPort, config.mail], [null, null])
  const { mail } = ofRelease({ SMTP_URL: 'smtp://127.0.0.1:2525', MAIL_FROM: 'receipts@example.com' })
  assert.deepEqual([mail?.port, mail?.isSandbox], [2525, false])
})

test('the sandbox listens one port above the server, and cannot share its port', () => {
  assert.equal(configOf({ PORT: '4000' }).sandbox?.own?.port, 4001)
  assert.match(problemOf({ PORT: '4000', SANDBOX_PORT: '4000' }), /^SANDBOX_PORT is 4000, which PORT is too: set one/)
})

test('the metrics have a port of their own, which neither the server nor the sandbox uses', () => {
  assert.match(problemOf({ PORT: '4000', METRICS_PORT: '4000' }), /^METRICS_PORT is 4000, which PORT is too: set one/)
  assert.match(problemOf({ PORT: '4000', METRICS_PORT: '4001' }), /^METRICS_PORT is 4001, which SANDBOX_PORT is too/)
  assert.equal(configOf({ PORT: '4000', SANDBOX: 'off', METRICS_PORT: '4001' }).metricsPort, 4001)
})

test('PUBLIC_BASE is scheme, host and port, and merchants are subdomains of its host', () => {
  assert.equal(configOf({ PORT: '4000' }).publicBase.origin, 'http://localhost:4000')
  assert.equal(configOf({ PUBLIC_BASE: 'https://pay.example.com' }).publicBase.origin, 'https://pay.example.com')
  for (const value of ['pay.example.com', 'ftp://pay.example.com', 'javascript:alert(1)', '//pay.example.com']) {
    assert.equal(
      problemOf({ PUBLIC_BASE: value }),
      `PUBLIC_BASE is "${value}": set it to an address that begins with http:// or https://.`,
    )
  }
  const tooMuch = ['https://a.example/pay', 'https://a.example/?x', 'https://a.example/#x', 'https://me@a.example']
  for (const value of [...tooMuch, 'https://:secret@a.example']) {
    assert.match(problemOf({ PUBLIC_BASE: value }), /^PUBLIC_BASE is ".*": give scheme, host and port only/)
  }
  for (const value of ['http://127.0.0.1:3000', 'http://[::1]:3000', 'https://203.0.113.7']) {
    assert.match(problemOf({ PUBLIC_BASE: value }), /^PUBLIC_BASE is ".*must be a host name, not an IP address\.$/)
  }
})

test('DATABASE_URL is a PostgreSQL address, and its password is never repeated', () => {
  for (const value of ['postgres://me:secret@db.example/kaikei', 'postgresql://me:secret@db.example:5432/kaikei']) {
    assert.equal(configOf({ DATABASE_URL: value }).databaseUrl, value)
  }
  for (const value of ['mysql://me:secret@db.example/kaikei', 'me:secret@db.example', 'data/kaikei.sqlite']) {
    const problem = problemOf({ DATABASE_URL: value })
    assert.match(problem, /^DATABASE_URL cannot be read: set it to postgresql:\/\//)
    assert.doesNotMatch(problem, /secret/)
  }
})

test('a data folder is resolved from where the server was started', () => {
  assert.equal(configOf({ DATA_DIR: 'elsewhere' }).dataDir, resolve('elsewhere'))
  assert.equal(configOf({ DATA_DIR: '/var/lib/kaikei' }).dataDir, '/var/lib/kaikei')
  assert.equal(configOf({ HOST: '0.0.0.0' }).host, '0.0.0.0')
})

test('in production the sandbox must be switched on or off explicitly', () => {
  const problem = problemOf({ NODE_ENV: 'production' })
  assert.match(problem, /^SANDBOX is not set: .*SANDBOX=off .*SANDBOX=on /)
  const explicit = configOf({ NODE_ENV: 'production', SANDBOX: 'on' })
  assert.deepEqual([explicit.sandbox?.own?.port, explicit.demo, explicit.logLevel], [3001, null, 'info'])
  const off = configOf({ NODE_ENV: 'production', SANDBOX: 'off' })
  assert.deepEqual([off.sandbox, off.demo], [null, null])
  assert.deepEqual(configOf({ NODE_ENV: 'production', SANDBOX: 'on', DEMO: 'on' }).demo, {
    merchantKey: null,
    isLiveAtStripe: false,
  })
})

test('without the sandbox there is no demo merchant, unless one is asked for', () => {
  assert.deepEqual([configOf({ SANDBOX: 'off' }).sandbox, configOf({ SANDBOX: 'off' }).demo], [null, null])
  assert.equal(configOf({ DEMO: 'off' }).demo, null)
})

test('a variable with fixed values names the values it accepts', () => {
  assert.equal(configOf({}).hsts, 'host')
  for (const hsts of ['host', 'subdomains', 'preload']) assert.equal(configOf({ HSTS: hsts }).hsts, hsts)
  assert.equal(problemOf({ HSTS: 'on' }), 'HSTS is "on": set it to one of host, subdomains, preload.')
  for (const level of ['debug', 'info', 'warn', 'error', 'silent']) {
    assert.equal(configOf({ LOG_LEVEL: level }).logLevel, level)
  }
  assert.equal(
    problemOf({ LOG_LEVEL: 'trace' }),
    'LOG_LEVEL is "trace": set it to one of debug, info, warn, error, silent.',
  )
  assert.equal(problemOf({ SANDBOX: 'yes' }), 'SANDBOX is "yes": set it to one of on, off.')
  assert.equal(problemOf({ DEMO: '1' }), 'DEMO is "1": set it to one of on, off.')
})

test('a fixed demo key is a test key of 16 to 64 letters and digits', () => {
  for (const length of [16, 64]) {
    const key = `sk_test_${'a'.repeat(length)}`
    assert.equal(configOf({ DEMO_MERCHANT_KEY: key }).demo?.merchantKey, key)
  }
  const wrong = [15, 65].map((length) => `sk_test_${'a'.repeat(length)}`)
  for (const key of [...wrong, `sk_live_${'a'.repeat(32)}`, `sk_test_${'a'.repeat(20)}-`]) {
    const problem = problemOf({ DEMO_MERCHANT_KEY: key })
    assert.equal(problem, 'DEMO_MERCHANT_KEY must be sk_test_ followed by 16 to 64 letters and digits.')
  }
})

test('trusted proxies are addresses and ranges, and a range that does not exist is refused by name', () => {
  const given = '10.0.0.0/8, 192.0.2.1,::1 , fd00::/8, 10.0.0.0/32, 10.0.0.0/0, ::/128'
  assert.deepEqual(
    configOf({ TRUSTED_PROXIES: given }).trustedProxies,
    given.split(',').map((one) => one.trim()),
  )
  for (const wrong of ['proxy.example', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '10.0.0/8', '::/129', '::/1/2']) {
    assert.equal(
      problemOf({ TRUSTED_PROXIES: `192.0.2.1, ${wrong}` }),
      `TRUSTED_PROXIES holds "${wrong}": list IP addresses or CIDR ranges, separated by commas.`,
    )
  }
})

test('the footer links to the operator, and only to web addresses', () => {
  const footer = { about: 'https://example.com/about', privacy: 'http://example.com/privacy' }
  const env = { FOOTER_ABOUT_URL: footer.about, FOOTER_PRIVACY_URL: footer.privacy, FOOTER_BADGE_TEXT: 'Audited' }
  assert.deepEqual(configOf(env).footer, { aboutUrl: footer.about, privacyUrl: footer.privacy, badgeText: 'Audited' })
  const { aboutUrl } = configOf({ FOOTER_ABOUT_URL: 'https://example.com/{locale}/about' }).footer
  assert.equal(aboutUrl, 'https://example.com/{locale}/about')
  for (const name of ['FOOTER_ABOUT_URL', 'FOOTER_PRIVACY_URL']) {
    for (const value of ['javascript:alert(1)', 'data:text/html,x', '/about', 'mailto:a@example.com']) {
      const problem = problemOf({ [name]: value })
      assert.equal(problem, `${name} is "${value}": set it to an address that begins with http:// or https://.`)
    }
  }
})

test('the sandbox’s 3-D Secure server and bank have public origins of their own when they are set', () => {
  const env = {
    SANDBOX_THREE_DS_ORIGIN: 'https://3ds-server.try.example',
    SANDBOX_BANK_ORIGIN: 'https://bank.try.example/',
  }
  const { sandbox } = configOf(env)
  assert.deepEqual(
    [sandbox?.threeDSOrigin, sandbox?.bankOrigin],
    ['https://3ds-server.try.example', 'https://bank.try.example'],
  )
  for (const wrong of ['bank.try.example', 'https://bank.try.example/path', 'https://a@bank.try.example', 'ftp://bank'])
    assert.match(problemOf({ SANDBOX_BANK_ORIGIN: wrong }), /^SANDBOX_BANK_ORIGIN is/)
})

test('a secret key is taken as it is, and one that could be guessed is refused by name and without being shown', () => {
  const key = '0123456789abcdef'.repeat(2)
  assert.equal(configOf({ SECRET_KEY: key }).secretKey, key)
  assert.match(problemOf({ SECRET_KEY: key.slice(1) }), /^SECRET_KEY has 31 characters: .*openssl rand -hex 32/)
  assert.doesNotMatch(problemOf({ SECRET_KEY: key.slice(1) }), /cde/)
  assert.equal(configOf({ SECRET_KEY: 'abcdefgh'.repeat(4) }).secretKey, 'abcdefgh'.repeat(4))
  const guessed = ['change-me-with-openssl-rand-hex-32', 'Change_Me'.repeat(4), 'k'.repeat(64), 'abcdefg'.repeat(5)]
  for (const each of guessed) {
    const problem = problemOf({ SECRET_KEY: each })
    assert.match(problem, /^SECRET_KEY is a placeholder, or repeats .*openssl rand -hex 32 prints.*SECRET_KEY_PREVIOUS/)
    assert.ok(!problem.includes(each))
    // Whoever has used it can leave it.
    assert.deepEqual(configOf({ SECRET_KEY: key, SECRET_KEY_PREVIOUS: each }).earlierSecretKeys, [each])
  }
})

test('keys before the secret key are given one behind another, each as long as it, and never without it', () => {
  const [key, before, first] = ['0123456789abcdef'.repeat(2), 'b'.repeat(32), 'f'.repeat(32)]
  const earlier = (text: string) => configOf({ SECRET_KEY: key, SECRET_KEY_PREVIOUS: text }).earlierSecretKeys
  assert.deepEqual(configOf({ SECRET_KEY: key }).earlierSecretKeys, [])
  assert.deepEqual(earlier(before), [before])
  assert.deepEqual(earlier(`${before}  ${first}`), [before, first])
  const short = { SECRET_KEY: key, SECRET_KEY_PREVIOUS: `${before} ${first.slice(1)}` }
  assert.match(problemOf(short), /^SECRET_KEY_PREVIOUS has 31 characters/)
  assert.match(problemOf({ SECRET_KEY_PREVIOUS: before }), /^SECRET_KEY_PREVIOUS is set without SECRET_KEY/)
})
