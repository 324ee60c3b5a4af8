/** 3-D Secure facts: what every card page is told about its waiting. */
import { THREE_DS_LIMITS, type ThreeDSFacts } from '#contract/page.ts'
import type { Config } from '../config/config.ts'

/** The limits of the page's waiting, shortened in a sandbox that is in a hurry, but never below a second. */
export const threeDSFacts = ({ threeDS, sandbox }: Config): ThreeDSFacts => {
  const scaled = (ms: number): number => Math.max(1000, ms * (sandbox?.timeScale ?? 1))
  return {
    messageDomains: threeDS.messageDomains,
    collectLimitMs: scaled(THREE_DS_LIMITS.collectLimitMs),
    challengeLimitMs: scaled(THREE_DS_LIMITS.challengeLimitMs),
    challengeHelpMs: scaled(THREE_DS_LIMITS.challengeHelpMs),
  }
}
