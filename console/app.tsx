/** Console: which screen the address names, for whoever has signed in. */
import { useEffect, useState } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import type { SessionAnswer } from '#contract/console/person.ts'
import { hasRole, type Role } from '#contract/console/roles.ts'
import { OPERATOR_ROUTES, PERSON_ROUTES, SHOP_ROUTES } from './routes.tsx'
import { EnrolScreen } from './screens/enrol/enrol-screen.tsx'
import { LinkScreen } from './screens/mail-link/mail-link-screen.tsx'
import { SignInScreen } from './screens/sign-in/sign-in-screen.tsx'
import { needsPasskey, SessionProvider, ShopProvider, useSessionState, type CurrentShop } from './session/session.tsx'
import { shopAddress, shopInAddress } from './shell/addresses.ts'
import { AriaRouter } from './shell/aria-router.tsx'
import { Frame } from './shell/frame.tsx'
import { NAVIGATION, type NavigationItem } from './shell/navigation-names.ts'
import { Screen, TitleContext } from './shell/screen.tsx'
import { Empty, Failed, ForRole, Loading } from './shell/states.tsx'
import { StepUpDialog } from './shell/step-up-dialog.tsx'
import { shellWords } from './shell/words.ts'
import { useLanguage, useWords } from './words/language.tsx'

/** What the navigation offers a person of this role, in its own order. */
const navigationFor = (role: Role | undefined): readonly NavigationItem[] =>
  NAVIGATION.flatMap((name) => {
    const route = SHOP_ROUTES.find(({ navigation }) => navigation === name)
    return route === undefined || role === undefined || !hasRole(role, route.needs) ? [] : [{ name, path: route.path }]
  })

/** The shop and mode of the address, else those that were looked at last, else the first shop. */
const useCurrentShop = ({ shops }: SessionAnswer): CurrentShop | null => {
  const [address] = useLocation()
  const named = shopInAddress(address)
  const [last, setLast] = useState(named)
  if (named !== null && (named.label !== last?.label || named.mode !== last.mode)) setLast(named)
  const chosen = named ?? last
  const shop = shops.find(({ label }) => label === chosen?.label) ?? (named === null ? shops[0] : undefined)
  if (shop === undefined) return null
  return { ...shop, mode: chosen?.label === shop.label ? chosen.mode : shop.isLive ? 'live' : 'test' }
}

const NotFound = () => {
  const words = useWords(shellWords)
  return (
    <Screen title={words.notFoundTitle}>
      <Empty icon="warning" title={words.notFound} action={<Link href="~/">{words.toHome}</Link>} />
    </Screen>
  )
}

const NoShops = () => {
  const words = useWords(shellWords)
  return (
    <Screen title={words.noShopsTitle}>
      <Empty icon="people" title={words.noShops} />
    </Screen>
  )
}

const NotLive = ({ shop }: { readonly shop: CurrentShop }) => {
  const words = useWords(shellWords)
  return (
    <Screen title={words.notLiveTitle}>
      <Empty
        icon="warning"
        title={words.notLive}
        action={<Link href={`~${shopAddress(shop.label, 'test')}`}>{words.toTest}</Link>}
      />
    </Screen>
  )
}

const ShopScreens = ({ shop }: { readonly shop: CurrentShop }) => (
  <ShopProvider value={shop}>
    <AriaRouter>
      {/* Another shop or mode is another screen: nothing that was typed or chosen goes over to it. */}
      <Switch key={`${shop.label} ${shop.mode}`}>
        {SHOP_ROUTES.map(({ path, needs, Screen: ShopScreen }) => (
          <Route key={path} path={path}>
            <ForRole needed={needs}>
              <ShopScreen />
            </ForRole>
          </Route>
        ))}
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </AriaRouter>
  </ShopProvider>
)

const SignedIn = ({ session }: { readonly session: SessionAnswer }) => {
  const { setLocale } = useLanguage()
  const { locale } = session.person
  useEffect(() => setLocale(locale), [setLocale, locale])
  const shop = useCurrentShop(session)
  // An operator without a shop works at the installation: nobody has to invite them to one.
  const home = shop !== null ? shopAddress(shop.label, shop.mode) : session.person.isOperator ? '/operator' : null
  return (
    <SessionProvider value={session}>
      <TitleContext value={shop === null ? null : { shop: shop.name, mode: shop.mode }}>
        <Frame shop={shop} items={navigationFor(shop?.role)} hasOperatorScreens={OPERATOR_ROUTES.length > 0}>
          <Switch>
            <Route path="/">{home === null ? <NoShops /> : <Redirect to={home} replace />}</Route>
            {PERSON_ROUTES.map(({ path, Screen: PersonScreen }) => (
              <Route key={path} path={path}>
                <PersonScreen />
              </Route>
            ))}
            {session.person.isOperator
              ? OPERATOR_ROUTES.map(({ path, Screen: OperatorScreen }) => (
                  <Route key={path} path={`/operator${path === '/' ? '' : path}`}>
                    <OperatorScreen />
                  </Route>
                ))
              : null}
            <Route path="/shops/:label/:mode" nest>
              {shop === null ? (
                <NotFound />
              ) : shop.mode === 'live' && !shop.isLive ? (
                <NotLive shop={shop} />
              ) : (
                <ShopScreens shop={shop} />
              )}
            </Route>
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Frame>
        <StepUpDialog />
      </TitleContext>
    </SessionProvider>
  )
}

const SessionScreens = () => {
  const state = useSessionState()
  const [wasSignedIn, setWasSignedIn] = useState(false)
  if (state.state === 'signed in' && !wasSignedIn) setWasSignedIn(true)
  switch (state.state) {
    case 'loading':
      return <Loading />
    case 'failed':
      return <Failed failure={state.failure} retry={state.retry} />
    case 'signed out':
      return <SignInScreen hasEnded={wasSignedIn} />
    case 'signed in':
      return needsPasskey(state.session) ? (
        <EnrolScreen session={state.session} />
      ) : (
        <SignedIn session={state.session} />
      )
  }
}

export const App = () => (
  <AriaRouter>
    <Switch>
      <Route path="/setup/:token">{({ token }) => <LinkScreen token={token} />}</Route>
      <Route path="/invitation/:token">{({ token }) => <LinkScreen token={token} />}</Route>
      <Route path="/sign-in/:token">{({ token }) => <LinkScreen token={token} />}</Route>
      <Route>
        <SessionScreens />
      </Route>
    </Switch>
  </AriaRouter>
)
