import { useQuery } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import type { BinCode } from '#contract/brands.ts'
import type { PageCheckout } from '../answers.ts'
import { useApi, useInitialData } from '../page-context.ts'
import { ShopContact } from '../shop/contact.tsx'
import { PageShell } from '../shop/sheet.tsx'
import { Challenge } from '../three-ds/challenge.tsx'
import { CollectFrames } from '../three-ds/collect-frames.tsx'
import { Modal } from '../ui/modal.tsx'
import { useLanguage } from '../words/language.tsx'
import { Bill } from './bill.tsx'
import { CardForm } from './card-form.tsx'
import styles from './card-page.module.css'
import { Confirming } from './confirming.tsx'
import { Consent } from './consent.tsx'
import { isUnderWay } from './flow.ts'
import { useCardForm } from './use-card-form.ts'
import { useMode } from './use-mode.ts'
import { usePayment } from './use-payment.ts'

interface CardScreenProps {
  readonly checkout: PageCheckout
  /** Shows everything and takes nothing: no field can be reached, no link leads anywhere. */
  readonly isPreview?: boolean
  /** What stands on the page instead of all this for a while. The form is kept as it is, with what was typed into it. */
  readonly instead?: ReactNode
  /** What stands where the shopper pays. */
  readonly children: ReactNode
}

/** The bill, the place to pay it, and everything the shop wants to say beside it. */
export const CardScreen = ({ checkout, isPreview = false, instead = null, children }: CardScreenProps) => {
  const { words } = useLanguage()
  return (
    <PageShell fontType={checkout.merchant.setting.fontType} isFilled={instead !== null}>
      {instead}
      <div className={styles['page']} hidden={instead !== null}>
        <div className={styles['bill']}>
          <Bill checkout={checkout} />
        </div>
        <div className={styles['side']}>
          <div className={styles['pay']} inert={isPreview}>
            {children}
          </div>
          <div className={styles['consent']}>
            <Consent />
          </div>
        </div>
        {checkout.remarks === undefined ? null : (
          <section className={styles['remarks']}>
            <h2>{words.bill.remarks}</h2>
            <p>{checkout.remarks}</p>
          </section>
        )}
        <div className={styles['contact']}>
          <ShopContact receipt={checkout.receipt} isDisabled={isPreview} />
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
  })
  return data ?? []
}

const LiveCardForm = (props: Omit<React.ComponentProps<typeof CardForm>, 'binCodes'>) => (
  <CardForm {...props} binCodes={useBinCodes()} />
)

interface CardPageProps {
  readonly checkout: PageCheckout
  readonly onPaying: (isPaying: boolean) => void
}

/** An open checkout and the payment of it. */
export const CardPage = ({ checkout, onPaying }: CardPageProps) => {
  const { words } = useLanguage()
  const { now } = useInitialData()
  const form = useCardForm(useMode(), now)
  const { flow, dispatch } = usePayment(checkout, form)
  const isPaying = isUnderWay(flow)

  useEffect(() => {
    onPaying(isPaying)
    return () => onPaying(false)
  }, [isPaying, onPaying])

  const challenge =
    flow.at === 'challenge' ? <Challenge checkout={checkout} challenge={flow} dispatch={dispatch} /> : null
  return (
    <CardScreen checkout={checkout} instead={challenge}>
      {flow.at === 'confirming' ? (
        <Confirming />
      ) : (
        <LiveCardForm checkout={checkout} form={form} flow={flow} dispatch={dispatch} />
      )}
      {flow.at === 'collecting' ? <CollectFrames collecting={flow} dispatch={dispatch} /> : null}
      {flow.at === 'failed' ? (
        <Modal words={words.failure.payment} confirm={words.failure.ok} onClose={() => dispatch({ event: 'closed' })} />
      ) : null}
    </CardScreen>
  )
}
