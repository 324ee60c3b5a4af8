import type { PageCheckout } from '../answers.ts'
import { useBeginning } from '../page-context.ts'
import { ShopContact } from '../shop/contact.tsx'
import { Ground } from '../shop/sheet.tsx'
import { Modal } from '../ui/modal.tsx'
import { useLanguage } from '../words/language.tsx'
import { Bill } from './bill.tsx'
import { CardForm } from './card-form.tsx'
import styles from './card-page.module.css'
import { Confirming } from './confirming.tsx'
import { Consent } from './consent.tsx'
import { useCardForm } from './use-card-form.ts'
import { useMode } from './use-mode.ts'
import { usePayment } from './use-payment.ts'

/** An open checkout: the bill, the card form, and everything the shop wants to say beside it. */
export const CardPage = ({ checkout }: { readonly checkout: PageCheckout }) => {
  const { words } = useLanguage()
  const { now } = useBeginning()
  const form = useCardForm(useMode(), now)
  const { flow, dispatch } = usePayment(checkout, form)

  return (
    <Ground fontType={checkout.merchant.setting.fontType}>
      <div className={styles['page']}>
        <div className={styles['bill']}>
          <Bill checkout={checkout} />
        </div>
        <div className={styles['side']}>
          <div className={styles['pay']}>
            {flow.at === 'confirming' ? (
              <Confirming />
            ) : (
              <CardForm checkout={checkout} form={form} flow={flow} dispatch={dispatch} />
            )}
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
          <ShopContact receipt={checkout.receipt} />
        </div>
      </div>
      {flow.at === 'failed' ? (
        <Modal words={words.failure.payment} confirm={words.failure.ok} onClose={() => dispatch({ event: 'closed' })} />
      ) : null}
    </Ground>
  )
}
