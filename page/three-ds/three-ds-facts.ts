/** 3-D Secure facts of the document: whose messages are accepted, and how long each step may take. */
import { useMemo } from 'react'
import { THREE_DS_LIMITS, type ThreeDSFacts } from '#contract/page.ts'
import { useInitialData } from '../page-context.ts'
import { isOrigin } from '../urls.ts'

const MESSAGE_DOMAINS_MAX = 2
/** A browser's timer beyond 24 days would fire at once. */
const TIME_LIMIT_MAX_MS = 86_400_000

/** `3ds.<base>` for the host `<merchant>.<base>`. A host of two labels has none: `3ds.com` belongs to somebody else. */
const defaultBridgeOrigins = (origin: string): readonly string[] => {
  const [, scheme, base, port = ''] =
    /^(https?:\/\/)[^.:/]+\.(localhost|[^:/]+\.[a-z][^.:/]*)(:\d+)?$/.exec(origin) ?? []
  return scheme === undefined || base === undefined ? [] : [`${scheme}3ds.${base}${port}`]
}

export const parseThreeDSFacts = (value: unknown, origin: string): ThreeDSFacts => {
  const facts: Readonly<Record<string, unknown>> = typeof value === 'object' && value !== null ? { ...value } : {}
  const listed = facts['messageDomains']
  const domains = Array.isArray(listed) ? listed.filter(isOrigin).slice(0, MESSAGE_DOMAINS_MAX) : []
  const duration = (name: keyof typeof THREE_DS_LIMITS): number => {
    const found = facts[name]
    return typeof found === 'number' && found > 0 && found <= TIME_LIMIT_MAX_MS ? found : THREE_DS_LIMITS[name]
  }
  return {
    messageDomains: domains.length > 0 ? domains : defaultBridgeOrigins(origin),
    collectLimitMs: duration('collectLimitMs'),
    challengeLimitMs: duration('challengeLimitMs'),
    challengeHelpMs: duration('challengeHelpMs'),
  }
}

export const useThreeDSFacts = (): ThreeDSFacts => {
  const { threeDS } = useInitialData()
  return useMemo(() => parseThreeDSFacts(threeDS, window.location.origin), [threeDS])
}
