/** Card page: an open checkout and its payment. */
import { useCallback, useEffect, type ReactNode } from 'react'
import type { BinCode } from '#contract/brands.ts'
import type { PageCheckout } from '../parse-answers.ts'
import { useLazyParts } from '../load-lazy-parts.ts'
import { useApi, useInitialData } from '../page-context.ts'
import { useQuery } from '../query-client.ts'
import { ShopContact } from '../shop/shop-contact.tsx'
import { PageShell } from '../shop/page-shell.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { useLanguage } from '../words/language-provider.tsx'
import { PaymentSummary } from './payment-summary.tsx'
import { CardForm } from './card-form.tsx'
import styles from './card-page.module.css'
import { Consent } from './consent.tsx'
import { isConfirmingShown, isFirstCall, isInProgress } from '../payment/flow.ts'
import { cardPayload } from './fields.ts'
import { useCardForm } from './use-card-form.ts'
import { usePageMode } from '../location.ts'
import { useLeavePage } from '../payment/use-leave-page.ts'
import { usePaymentFlow } from '../payment/use-payment-flow.ts'

interface CardScreenProps {
  readonly checkout: PageCheckout
  /** Shows everything and accepts nothing: no field can be reached, no link works. */
  readonly isPreview?: boolean
  /** The panel of a payment in doubt stands where the form was. */
  readonly isConfirming?: boolean
  /** Shown instead of the whole screen for a while. The form stays mounted, with what was typed into it. */
  readonly replacement?: ReactNode
  /** The form, or what replaces it. */
  readonly children: ReactNode
}

/** Layout of the card page: the bill (summary and remarks), then form, consent and contact. */
export const CardScreen = ({
  checkout,
  isPreview = false,
  isConfirming = false,
  replacement = null,
  children,
}: CardScreenProps) => {
  const { words } = useLanguage()
  // The panel is short: what is behind it stands in the window and must not be laid out late.
  const withForm = isConfirming ? '' : styles['withForm']
  return (
    <PageShell
      fontType={checkout.merchant.setting.fontType}
      isFilled={replacement !== null}
      isSplit={replacement === null}
    >
      {replacement}
      <div className={`${styles['page']} ${withForm}`} hidden={replacement !== null}>
        <div className={styles['bill']}>
          <div>
            <PaymentSummary checkout={checkout} />
          </div>
          {checkout.remarks === undefined ? null : (
            <section className={styles['remarks']}>
              <h2>{words.bill.remarks}</h2>
              <p>{checkout.remarks}</p>
            </section>
          )}
        </div>
        <div className={styles['side']}>
          <div className={styles['pay']} inert={isPreview}>
            {children}
          </div>
          {/* Who reads the panel has paid, and agrees to nothing more. */}
          {isConfirming ? null : (
            <div className={styles['consent']}>
              <Consent />
            </div>
          )}
          <div className={styles['contact']}>
            <ShopContact receipt={checkout.receipt} isDisabled={isPreview} />
          </div>
        </div>
      </div>
    </PageShell>
  )
}

const useBinCodes = (): readonly BinCode[] => {
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['bincodes'],
    queryFn: ({ signal }) => api.listBinCodes(signal),
    retry: false,
    refetchOnWindowFocus: false,
    // The form is mounted anew after the confirming panel.
    refetchOnMount: false,
  })
  return data ?? []
}

const CardFormWithBinCodes = (props: Omit<React.ComponentProps<typeof CardForm>, 'binCodes'>) => (
  <CardForm {...props} binCodes={useBinCodes()} />
)

interface CardPageProps {
  readonly checkout: PageCheckout
  readonly onPaying: (isPaying: boolean) => void
}

export const CardPage = ({ checkout, onPaying }: CardPageProps) => {
  const { words } = useLanguage()
  const { now } = useInitialData()
  const form = useCardForm(usePageMode(), now)
  const { flow, dispatch } = usePaymentFlow(checkout)
  useLeavePage({ flow, dispatch }, form.clear)
  const isPaying = isInProgress(flow)
  const isConfirming = isConfirmingShown(flow)
  // Nothing was sent as long as they are missing: the form is there again and says so.
  const scriptFailed = useCallback(() => dispatch({ type: 'script failed' }), [dispatch])
  const parts = useLazyParts(flow.state !== 'init_start', isFirstCall(flow) ? scriptFailed : undefined)

  useEffect(() => {
    onPaying(isPaying)
    return () => onPaying(false)
  }, [isPaying, onPaying])

  const challenge =
    flow.state === 'challenge' && parts !== undefined ? (
      <parts.Challenge checkout={checkout} challenge={flow} dispatch={dispatch} />
    ) : null
  return (
    <CardScreen checkout={checkout} isConfirming={isConfirming} replacement={challenge}>
      {isConfirming ? (
        parts === undefined ? (
          <Spinner label={words.error.loading} />
        ) : (
          <parts.ConfirmingPanel />
        )
      ) : (
        <CardFormWithBinCodes checkout={checkout} form={form} flow={flow} dispatch={dispatch} />
      )}
      {parts === undefined ? null : (
        <parts.PaymentInProgress
          checkout={checkout}
          form={{ ...form, card: cardPayload(form.values) }}
          flow={flow}
          dispatch={dispatch}
        />
      )}
    </CardScreen>
  )
}
