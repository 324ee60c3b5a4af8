/** Browser of whoever sits at this machine: whether there is one, and how it is opened. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Environment } from '../../config/readers.ts'

export type BrowserOpening = 'opened' | 'no display' | 'no browser'

/** Opens an address, or says why it cannot. */
export type OpenBrowser = (address: string, env: Environment) => Promise<BrowserOpening>

/** The program that opens an address; null without a display, where a browser would have nowhere to show itself. */
export const browserProgram = (platform: NodeJS.Platform, env: Environment): string | null => {
  if (platform === 'darwin') return 'open'
  return (env['DISPLAY'] ?? '') === '' && (env['WAYLAND_DISPLAY'] ?? '') === '' ? null : 'xdg-open'
}

const SECRET = /KEY|SECRET|TOKEN|PASS|DATABASE_URL/i

/** A browser hands its environment on to whatever it starts: nothing of ours is for them. */
export const withoutSecrets = (env: Environment): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !SECRET.test(name)))

export const openSystemBrowser: OpenBrowser = async (address, env) => {
  const program = browserProgram(process.platform, env)
  if (program === null) return 'no display'
  const child = spawn(program, [address], { detached: true, stdio: 'ignore', env: withoutSecrets(env) })
  child.unref()
  try {
    await once(child, 'spawn')
    return 'opened'
  } catch {
    return 'no browser'
  }
}
