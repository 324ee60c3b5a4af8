/** Top bar: the shop, its mode, which is always visible, and the person's own menu. */
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { MERCHANT_MODES } from '#contract/access.ts'
import { endSession } from '#contract/console/person.ts'
import { Icon } from '../forms/icon.tsx'
import { Menu, type MenuEntry } from '../forms/menu.tsx'
import { SESSION_KEY } from '../session/api-context.tsx'
import { useSession, type CurrentShop } from '../session/session.tsx'
import { usePersonSend } from '../session/use-calls.ts'
import { useWords } from '../words/language.tsx'
import { sharedWords } from '../words/shared-words.ts'
import { useFailureText } from '../words/use-failure-text.ts'
import { shopAddress } from './addresses.ts'
import { Mark } from './mark.tsx'
import { useToast } from './toast.tsx'
import { shellWords } from './words.ts'
import styles from './frame.module.css'

const ShopSwitcher = ({ shop }: { readonly shop: CurrentShop }) => {
  const { shops } = useSession()
  const [words, { roles }] = [useWords(shellWords), useWords(sharedWords)]
  const shown = <span className={styles['name']}>{shop.name}</span>
  if (shops.length === 1) return <span className={styles['shop']}>{shown}</span>
  return (
    <Menu
      label={words.shop(shop.name)}
      className={styles['shop'] ?? ''}
      entries={shops.map(({ label, name, role, isLive }) => ({
        id: label,
        label: name,
        detail: `${label} · ${roles[role]}`,
        href: shopAddress(label, isLive ? shop.mode : 'test'),
        isChosen: label === shop.label,
      }))}
    >
      {shown}
      <Icon name="caret" size={16} />
    </Menu>
  )
}

/** Two links, not a switch: a mode is a place, and each can stand in a tab of its own. */
const ModeSwitch = ({ shop }: { readonly shop: CurrentShop }) => {
  const [words, { modes }] = [useWords(shellWords), useWords(sharedWords)]
  return (
    <nav className={styles['modes']} aria-label={words.mode}>
      {MERCHANT_MODES.map((mode) =>
        mode === 'live' && !shop.isLive && shop.mode !== 'live' ? (
          <span key={mode} className={styles['mode']} role="link" aria-disabled="true" title={words.notLive}>
            {modes[mode]}
          </span>
        ) : (
          <Link
            key={mode}
            href={shopAddress(shop.label, mode)}
            className={styles['mode'] ?? ''}
            aria-current={mode === shop.mode ? 'true' : undefined}
          >
            {modes[mode]}
          </Link>
        ),
      )}
    </nav>
  )
}

const AccountMenu = ({ hasOperatorScreens }: { readonly hasOperatorScreens: boolean }) => {
  const { person } = useSession()
  const words = useWords(shellWords)
  const [send, queries] = [usePersonSend(), useQueryClient()]
  const [toast, textOf] = [useToast(), useFailureText()]
  const signOut = async (): Promise<void> => {
    const result = await send(endSession)
    if (!result.ok && result.failure.code !== 'signed_out') {
      toast(textOf(result.failure))
      return
    }
    queries.clear()
    queries.setQueryData(SESSION_KEY, null)
    window.location.assign('/')
  }
  const operator: MenuEntry[] =
    person.isOperator && hasOperatorScreens
      ? [{ id: 'operator', label: words.operator, icon: 'operator', href: '/operator' }]
      : []
  return (
    <Menu
      label={`${words.account}: ${person.name}`}
      className={styles['account'] ?? ''}
      entries={[
        { id: 'account', label: words.account, detail: person.email, icon: 'person', href: '/account' },
        ...operator,
        { id: 'sign-out', label: words.signOut, icon: 'signOut', onAction: () => void signOut() },
      ]}
    >
      <Icon name="person" />
      <span className={styles['name']}>{person.name}</span>
    </Menu>
  )
}

interface TopBarProps {
  readonly shop: CurrentShop | null
  readonly hasOperatorScreens: boolean
}

export const TopBar = ({ shop, hasOperatorScreens }: TopBarProps) => (
  <header className={styles['top']}>
    <Link href="/" aria-label="Kaikei" className={styles['brand'] ?? ''}>
      <Mark className={styles['mark']} />
    </Link>
    {shop === null ? null : <ShopSwitcher shop={shop} />}
    <span className={styles['spacer']} />
    {shop === null ? null : <ModeSwitch shop={shop} />}
    <AccountMenu hasOperatorScreens={hasOperatorScreens} />
  </header>
)
