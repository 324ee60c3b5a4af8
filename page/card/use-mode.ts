import { useSearch } from 'wouter'
import type { PageMode } from '#contract/card.ts'

/** `?mode=test` narrows what the form accepts. It changes nothing on the server. */
export const useMode = (): PageMode => (new URLSearchParams(useSearch()).get('mode') === 'test' ? 'test' : 'live')
