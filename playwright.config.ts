import { defineConfig } from '@playwright/test'

const executablePath = process.env['CHROMIUM']
const runsAll = process.env['JOURNEYS'] === 'all'

/**
 * The browser's own address bar draws two pages of suggestions for every window, and a journey opens a window of its own: that
 * took half the time of all journeys. A second list replaces the first, so what Playwright itself switches off stands here too.
 */
const SWITCHED_OFF = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

export default defineConfig({
  testDir: 'journeys',
  testMatch: '*.spec.ts',
  outputDir: 'test-results',
  // Journeys that are told only when every one is asked for, as a proof does.
  ...(runsAll ? {} : { grepInvert: /@proof/ }),
  metadata: { runsAll },
  workers: 2,
  fullyParallel: true,
  // A journey that fails once in fifty runs is a bug to find: run again it is told as flaky, and has still failed.
  retries: 1,
  failOnFlakyTests: true,
  timeout: 60_000,
  // Three times what every journey of a proof takes: a browser that hangs must not keep the run for ever.
  globalTimeout: 1_800_000,
  expect: { timeout: 15_000 },
  use: {
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    // A ring that turns keeps a small machine from anything else.
    contextOptions: { reducedMotion: 'reduce' },
    // Costs a quarter of the time of every journey: ask for it with --trace=on when one fails. A file that sets it for itself
    // gets a worker of its own, and with it a second program and a second browser.
    trace: 'off',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${SWITCHED_OFF.join()}`,
      ],
    },
  },
})
