import { CSPProvider } from '@base-ui/react/csp-provider'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Refused } from './api/client.ts'
import { account, me } from './api/queries.ts'
import { createConsoleRouter } from './routes.tsx'
import { setSessionEnded } from './session.ts'
import './styles.css'
import { restoreTheme } from './ui/page/theme.ts'
import { ToastArea } from './ui/toast.tsx'
import { tell } from './ui/untold.ts'

restoreTheme()

/** When the session ends, lets people sign in again in a dialog over the page, so that they keep their input. */
function onError(error: Error): void {
  // A wrong password also returns 401.
  if (!(error instanceof Refused) || !['session_ended', 'key_missing'].includes(error.code)) return
  const wasSignedIn = [me.queryKey, account.queryKey].some((key) => client.getQueryData(key) !== undefined)
  if (wasSignedIn) setSessionEnded(true)
}

const client = new QueryClient({
  // The guards redirect to the sign-in page themselves.
  queryCache: new QueryCache({ onError: (error, { meta }) => meta?.['guards'] !== true && onError(error) }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      onError(error)
      // Forms show their errors themselves.
      if (mutation.meta?.['shown'] !== true) tell('That did not work', error.message)
    },
  }),
  // If the service rejected a request, it would reject a retry too.
  defaultOptions: { queries: { retry: (failures, error) => !(error instanceof Refused) && failures < 2 } },
})
const router = createConsoleRouter(client)

const host = document.getElementById('root')
if (host === null) throw new Error('The page has no element for the console.')
createRoot(host).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
        <ToastArea />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
