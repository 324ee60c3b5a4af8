/** Root warning: what a server in production says of itself when it was started as root. */
import { isProduction } from './readers.ts'
import type { Environment } from './readers.ts'

const ROOT = 0

/** One line, or nothing where there is nothing to say. A release is always in production. It starts all the same: in a sandbox root may be right. */
export const rootWarning = (env: Environment, userId: number | undefined): string =>
  isProduction(env) && userId === ROOT
    ? 'This server runs as root: whoever breaks into it has this whole machine, and files that it makes cannot be read by another user later. Run it as a user of its own: deploy/kaikei.service and deploy/Containerfile do.\n'
    : ''
