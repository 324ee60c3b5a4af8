/** Screen of one reusable link: what it is, how it is shared, its limits and switch, and its checkouts. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'wouter'
import { Button } from '../../forms/button.tsx'
import { DefinitionList } from '#ui/definition-list.tsx'
import { localeLabel, toPageLocale } from '#contract/locale.ts'
import { drawLinkQrCode, readReusableLink, type ReusableLinkAnswer } from '#contract/merchant/reusable-links.ts'
import { hasRole } from '#contract/console/roles.ts'
import { useShop } from '../../session/session.tsx'
import { useRead } from '../../session/use-calls.ts'
import { BackLink, Card, Screen } from '../../shell/screen.tsx'
import { Reading } from '../../shell/states.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { ShareCard } from '../sharing/share-card.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { CheckoutsOfLink } from './checkouts-of-link.tsx'
import { StatusBadge, useLinkAmount } from './link-facts.tsx'
import styles from './links.module.css'
import { SwitchLink } from './switch-link.tsx'
import { linksWords } from './words.ts'

const Facts = ({ link }: { readonly link: ReusableLinkAnswer }) => {
  const words = useWords(linksWords)
  const { time } = useFormats()
  const amountOf = useLinkAmount()
  const { validUntil, disabledAt, remarks, reference, maxPayments = null } = link
  const locale = toPageLocale(link.locale)
  const optional = (name: string, value: string | undefined) => (value === undefined ? [] : [{ name, value }])
  return (
    <DefinitionList
      items={[
        { name: words.status, value: <StatusBadge status={link.status} /> },
        { name: words.amount, value: amountOf(link) },
        { name: words.payments, value: words.ofLimit(link.payments, maxPayments) },
        { name: words.until, value: validUntil === undefined ? words.noEnd : time(validUntil) },
        ...optional(words.disabledSince, disabledAt === undefined ? undefined : time(disabledAt)),
        { name: words.locale, value: locale === undefined ? words.anyLocale : localeLabel(locale) },
        ...optional(words.remarks, remarks),
        ...optional(words.reference, reference),
        { name: words.created, value: time(link.createdAt) },
      ]}
    />
  )
}

interface LinkCardsProps {
  readonly link: ReusableLinkAnswer
  onChanged(): Promise<unknown>
}

const LinkCards = ({ link, onChanged }: LinkCardsProps) => {
  const words = useWords(linksWords)
  const { role } = useShop()
  const amountOf = useLinkAmount()
  const qr = useRead(drawLinkQrCode, { params: { linkId: link.id } })
  const [isChanging, setChanging] = useState(false)
  const { url, subject = null, amount } = link
  return (
    <>
      <Card title={words.facts}>
        <Facts link={link} />
        {hasRole(role, 'staff') ? (
          <div className={styles['actions']}>
            <Button kind="secondary" type="button" onClick={() => setChanging(true)}>
              {words.change}
            </Button>
            <SwitchLink link={link} onChanged={onChanged} />
          </div>
        ) : null}
      </Card>
      <ShareCard link={{ url, subject, amount: amount === undefined ? null : amountOf(link) }} qr={qr} />
      <CheckoutsOfLink linkId={link.id} />
      {isChanging ? <ChangeDialog link={link} onClose={() => setChanging(false)} onChanged={onChanged} /> : null}
    </>
  )
}

export const LinkScreen = () => {
  const words = useWords(linksWords)
  const { linkId } = useParams<{ linkId: string }>()
  const queries = useQueryClient()
  const link = useRead(readReusableLink, { params: { linkId } })
  return (
    <Screen title={link.data?.subject ?? words.title} actions={<BackLink href="/links">{words.title}</BackLink>}>
      <Reading of={link}>{(read) => <LinkCards link={read} onChanged={() => queries.invalidateQueries()} />}</Reading>
    </Screen>
  )
}
