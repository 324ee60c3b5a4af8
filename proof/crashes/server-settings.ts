/** Settings of a server that the crash proof and the backup proof kill. */
import type { SandboxProcess } from '../harness/sandbox-process.ts'

export const MERCHANT_KEY = `sk_test_${'k'.repeat(32)}`

export const serverSettings = (port: number, { origin }: SandboxProcess): Readonly<Record<string, string>> => ({
  PORT: String(port),
  SANDBOX_PORT: new URL(origin).port,
  MAIL_FROM: 'receipts@pay.example.com',
  SANDBOX_TIME_SCALE: '0.1',
  // Short, so that a missing answer is soon a doubt; the lease of a charge is fifteen seconds longer.
  GATEWAY_TIMEOUT_MS: '2000',
  DEMO_MERCHANT_KEY: MERCHANT_KEY,
})
