/** Page mode: `?mode=test` accepts test cards only. It changes nothing on the server. */
import type { PageMode } from '#contract/card.ts'
import { useSearch } from '../location.ts'

export const usePageMode = (): PageMode => (new URLSearchParams(useSearch()).get('mode') === 'test' ? 'test' : 'live')
