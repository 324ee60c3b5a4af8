/** Shops screen: the shops of the installation; opened, closed and reopened here. */
import { useState } from 'react'
import { Button } from '../../forms/button.tsx'
import { closeShop, listShops, reopenShop, type ShopAnswer } from '#contract/console/operator.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { Badge, Item, ItemList } from '../../forms/item-list.tsx'
import { MoreButton } from '../../forms/more-button.tsx'
import { useRefreshSession } from '../../session/session.tsx'
import { usePersonReadPages, usePersonSend } from '../../session/use-calls.ts'
import { Card, Explanation } from '../../shell/screen.tsx'
import { Empty, Reading } from '../../shell/states.tsx'
import { useToast } from '../../shell/toast.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { OpenShopDialog } from './open-shop-dialog.tsx'
import { OperatorFrame } from './operator-frame.tsx'
import { operatorWords } from './words.ts'

type Open = { readonly what: 'nothing' | 'form' } | { readonly what: 'close' | 'reopen'; readonly of: ShopAnswer }

const ShopItem = ({ of, onOpen }: { readonly of: ShopAnswer; onOpen(open: Open): void }) => {
  const words = useWords(operatorWords)
  const { time } = useFormats()
  const isOpen = of.closedAt === undefined
  return (
    <Item
      title={of.name}
      badge={
        <Badge kind={isOpen ? 'good' : 'bad'}>{isOpen ? words.open : words.closed(time(of.closedAt ?? ''))}</Badge>
      }
      details={[of.pages, words.opened(time(of.createdAt))]}
      actions={
        <Button kind="secondary" type="button" onClick={() => onOpen({ what: isOpen ? 'close' : 'reopen', of })}>
          {isOpen ? words.close : words.reopen}
        </Button>
      }
    />
  )
}

export const ShopsScreen = () => {
  const words = useWords(operatorWords)
  const [send, toast, refreshSession] = [usePersonSend(), useToast(), useRefreshSession()]
  const [open, setOpen] = useState<Open>({ what: 'nothing' })
  const shops = usePersonReadPages(['shops'], (api, after, signal) =>
    api.send(listShops, { query: after === undefined ? {} : { after } }, undefined, signal),
  )
  const close = (): void => setOpen({ what: 'nothing' })
  const done = (text: string) => async (): Promise<void> => {
    close()
    await Promise.all([shops.refetch(), refreshSession()])
    toast(text)
  }
  const openShop = (
    <Button kind="primary" type="button" onClick={() => setOpen({ what: 'form' })}>
      {words.openShop}
    </Button>
  )
  return (
    <OperatorFrame actions={openShop}>
      <Card title={words.shops}>
        <Explanation>{words.shopsLead}</Explanation>
        <Reading of={shops}>
          {({ pages }) => {
            const items = pages.flatMap((page) => page.items)
            return items.length === 0 ? (
              <Empty icon="operator" title={words.noShops}>
                {words.noShopsText}
              </Empty>
            ) : (
              <ItemList>
                {items.map((shop) => (
                  <ShopItem key={shop.label} of={shop} onOpen={setOpen} />
                ))}
              </ItemList>
            )
          }}
        </Reading>
        <MoreButton of={shops} />
      </Card>
      {open.what === 'form' ? <OpenShopDialog onOpened={() => shops.refetch()} onClose={close} /> : null}
      {open.what === 'close' ? (
        <ConfirmDialog
          title={words.closeTitle(open.of.name)}
          text={words.closeText}
          action={words.close}
          act={() => send(closeShop, { params: { label: open.of.label } })}
          onDone={done(words.closedDone)}
          onClose={close}
        />
      ) : null}
      {open.what === 'reopen' ? (
        <ConfirmDialog
          title={words.reopenTitle(open.of.name)}
          text={words.reopenText}
          action={words.reopen}
          act={() => send(reopenShop, { params: { label: open.of.label } })}
          onDone={done(words.reopenedDone)}
          onClose={close}
        />
      ) : null}
    </OperatorFrame>
  )
}
