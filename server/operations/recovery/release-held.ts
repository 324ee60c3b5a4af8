/** Release held: an operator opens checkouts to payment that a restore has closed, by what the acquirer's own records say. */
import type { CheckoutDependencies } from '../locked-checkout.ts'
import { releaseCheckouts } from '../../store/backup/held-checkouts.ts'
import type { KeyScope } from '../../store/merchant/keys.ts'

/** How many were opened. Each has a line in the log of changes that names the operator and the reason. */
export const releaseHeld = (
  { database, clock }: Pick<CheckoutDependencies, 'database' | 'clock'>,
  scope: KeyScope,
  { checkoutId, why }: { readonly checkoutId: string | null; readonly why: string },
): Promise<number> =>
  releaseCheckouts(
    database,
    scope,
    { byHand: checkoutId === null ? 'all' : { only: checkoutId } },
    {
      actor: 'operator',
      why,
      now: clock.now(),
    },
  )
