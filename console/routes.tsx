/** Routes: one line a screen. Each is a script of its own that is loaded when somebody goes there. */
import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import type { Role } from '#contract/console/roles.ts'
import type { NavigationName } from './shell/navigation-names.ts'
import { loadScript } from './shell/script-failure.ts'

type Screen = LazyExoticComponent<ComponentType>

interface ShopRoute {
  /** Below the address of the shop and its mode; `:name` stands for a value. */
  readonly path: string
  /** The least role that sees it: others are told so. */
  readonly needs: Role
  /** Its place in the navigation; left out: another screen leads there. */
  readonly navigation?: NavigationName
  readonly Screen: Screen
}

const screen = (load: () => Promise<ComponentType>): Screen => lazy(async () => ({ default: await loadScript(load) }))

/** Screens of a shop. */
export const SHOP_ROUTES: readonly ShopRoute[] = [
  {
    path: '/',
    needs: 'viewer',
    navigation: 'home',
    Screen: screen(async () => (await import('./screens/home/home-screen.tsx')).HomeScreen),
  },
  {
    path: '/checkouts',
    needs: 'viewer',
    navigation: 'checkouts',
    Screen: screen(async () => (await import('./screens/checkouts/checkouts-screen.tsx')).CheckoutsScreen),
  },
  {
    path: '/checkouts/:checkoutId',
    needs: 'viewer',
    Screen: screen(async () => (await import('./screens/checkout/checkout-screen.tsx')).CheckoutScreen),
  },
  {
    path: '/money',
    needs: 'viewer',
    navigation: 'money',
    Screen: screen(async () => (await import('./screens/money/money-screen.tsx')).MoneyScreen),
  },
  {
    path: '/money/reconciliations/:reconciliationId',
    needs: 'viewer',
    Screen: screen(async () => (await import('./screens/money/reconciliation-screen.tsx')).ReconciliationScreen),
  },
  {
    path: '/new-link',
    needs: 'staff',
    navigation: 'newLink',
    Screen: screen(async () => (await import('./screens/new-link/new-link-screen.tsx')).NewLinkScreen),
  },
  {
    path: '/counter',
    needs: 'staff',
    navigation: 'counter',
    Screen: screen(async () => (await import('./screens/counter/counter-screen.tsx')).CounterScreen),
  },
  {
    path: '/links',
    needs: 'viewer',
    navigation: 'links',
    Screen: screen(async () => (await import('./screens/reusable-links/links-screen.tsx')).LinksScreen),
  },
  {
    path: '/links/:linkId',
    needs: 'viewer',
    Screen: screen(async () => (await import('./screens/reusable-links/link-screen.tsx')).LinkScreen),
  },
  {
    path: '/look',
    needs: 'viewer',
    navigation: 'look',
    Screen: screen(async () => (await import('./screens/look/look-screen.tsx')).LookScreen),
  },
  {
    path: '/people',
    needs: 'viewer',
    navigation: 'people',
    Screen: screen(async () => (await import('./screens/people/people-screen.tsx')).PeopleScreen),
  },
  {
    path: '/people/audit',
    needs: 'owner',
    Screen: screen(async () => (await import('./screens/people/audit-screen.tsx')).AuditScreen),
  },
  {
    path: '/developers',
    needs: 'owner',
    navigation: 'developers',
    Screen: screen(async () => (await import('./screens/developers/keys-screen.tsx')).KeysScreen),
  },
  {
    path: '/developers/webhooks',
    needs: 'owner',
    Screen: screen(async () => (await import('./screens/developers/webhooks-screen.tsx')).WebhooksScreen),
  },
  {
    path: '/developers/webhooks/:webhookId',
    needs: 'owner',
    Screen: screen(async () => (await import('./screens/developers/webhook-screen.tsx')).WebhookScreen),
  },
  {
    path: '/developers/events',
    needs: 'owner',
    Screen: screen(async () => (await import('./screens/developers/events-screen.tsx')).EventsScreen),
  },
]

interface PlainRoute {
  readonly path: string
  readonly Screen: Screen
}

/** Screens of the operator of the installation, below /operator. */
export const OPERATOR_ROUTES: readonly PlainRoute[] = [
  { path: '/', Screen: screen(async () => (await import('./screens/operator/shops-screen.tsx')).ShopsScreen) },
  { path: '/doubts', Screen: screen(async () => (await import('./screens/operator/doubts-screen.tsx')).DoubtsScreen) },
  { path: '/outbox', Screen: screen(async () => (await import('./screens/operator/outbox-screen.tsx')).OutboxScreen) },
  { path: '/doctor', Screen: screen(async () => (await import('./screens/operator/doctor-screen.tsx')).DoctorScreen) },
  {
    path: '/audit',
    Screen: screen(
      async () => (await import('./screens/operator/installation-audit-screen.tsx')).InstallationAuditScreen,
    ),
  },
]

/** Screens of the person, whichever shop was looked at last. */
export const PERSON_ROUTES: readonly PlainRoute[] = [
  {
    path: '/account',
    Screen: screen(async () => (await import('./screens/account/account-screen.tsx')).AccountScreen),
  },
]
