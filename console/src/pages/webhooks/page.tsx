import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useScopeRefusal } from '../../api/permissions.ts'
import { usePublisher } from '../../publisher.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ShownOnce } from '../../ui/form/shown-once.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Deliveries } from './deliveries.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { EndpointRow } from './endpoint-row.tsx'
import { endpoints } from './queries.ts'

const route = getRouteApi('/guarded/publishers/$publisher/webhooks')

/** A publisher's webhook endpoints and the deliveries to them. */
export default function Webhooks() {
  const publisher = usePublisher()
  const { publisher: publisherId } = route.useParams()
  const { data } = useSuspenseQuery(endpoints(publisherId))
  const refusal = useScopeRefusal(publisherId)('webhooks:write')
  const [isAdding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const add = (
    <Button tone="primary" refusal={refusal} onClick={() => setAdding(true)}>
      New endpoint
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Webhooks"
        lead={`Events sent to ${publisher?.name ?? 'the publisher'}, and whether they arrived.`}
        actions={data.length > 0 && add}
      />
      <Card className="mb-5">
        {data.length === 0 ? (
          <Empty title="No endpoints yet" action={add}>
            An endpoint is a URL of the publisher’s back end that receives events as they happen.
          </Empty>
        ) : (
          <>
            <CardTitle>Endpoints</CardTitle>
            <ul className="mt-3 divide-y divide-line border-line border-t">
              {data.map((endpoint) => (
                <EndpointRow
                  key={endpoint.endpoint_id}
                  endpoint={endpoint}
                  publisherId={publisherId}
                  onSecret={setSecret}
                />
              ))}
            </ul>
          </>
        )}
      </Card>
      <Deliveries publisherId={publisherId} known={data} />
      {isAdding && <EndpointForm publisherId={publisherId} onClose={() => setAdding(false)} onSecret={setSecret} />}
      {secret !== null && (
        <ShownOnce
          title="Keep this secret"
          lead="It is shown only once. Your receiver uses it to verify that webhooks come from this service."
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </>
  )
}
