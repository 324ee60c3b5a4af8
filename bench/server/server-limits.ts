/** Limits of the server: rate, time of the processor, memory. proof/whole-server/statement-counts.test.ts holds the statements. */
import type { Limit } from '../limits/limits.ts'
import type { OperationFigures } from './measure-operation.ts'
import { OPERATIONS, type Operation } from './requests.ts'

export interface DatabaseFigures {
  readonly name: string
  readonly operations: Readonly<Record<Operation, OperationFigures>>
  readonly growth: { readonly firstMiB: number; readonly lastMiB: number }
  /** Whether the server had one core alone while it drew documents. */
  readonly isPinned: boolean
}

const DOCUMENTS_PER_SECOND_MIN = 400
const DOCUMENT_CPU_MS_MAX = 2.5
const PAYMENT_CPU_MS_MAX = 6
const P99_TO_P50_MAX = 5
/**
 * Between 20,000 and 100,000 requests: 20 bytes for each, less than anything that could be kept of it by mistake, and 3 MiB
 * for what comes and goes, such as compiled code.
 */
const HEAP_GROWTH_MIB_MAX = 4.5

/** With a core of its own the rate says it; without, the time of the processor does. */
const documentLimit = ({ name, operations: { document }, isPinned }: DatabaseFigures): Limit =>
  isPinned
    ? {
        name: `${name}, document: drawn a second on one core`,
        figure: document.perSecond,
        is: 'at least',
        limit: DOCUMENTS_PER_SECOND_MIN,
      }
    : { name: `${name}, document: ms of CPU`, figure: document.cpuMs, is: 'at most', limit: DOCUMENT_CPU_MS_MAX }

export const limitsOf = (figures: DatabaseFigures): Limit[] => {
  const { name, operations, growth } = figures
  const atMost = (what: string, figure: number, limit: number): Limit => ({
    name: `${name}, ${what}`,
    figure,
    is: 'at most',
    limit,
  })
  return [
    documentLimit(figures),
    atMost('payment: ms of CPU', operations.payment.cpuMs, PAYMENT_CPU_MS_MAX),
    ...OPERATIONS.map((each) => atMost(`${each}: p99 by p50`, operations[each].p99ToP50, P99_TO_P50_MAX)),
    atMost('heap growth, MiB', growth.lastMiB - growth.firstMiB, HEAP_GROWTH_MIB_MAX),
  ]
}
