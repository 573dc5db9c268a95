import Type from 'typebox'
import { field, text } from '../../platform/resource/fields.ts'
import { column, type ResourceRow, resource } from '../../platform/resource/resource.ts'

// The API returns coordinates as text.
const coordinate = (example: string) =>
  field(Type.String(), { nullable: true, example }, (value: number) => String(value))

/** A store of an offer, as publishers see it. */
export const STORE = resource(
  'StoreAddress',
  {
    location_name: text({ nullable: true, example: 'Acme Downtown' }),
    street_address1: text({ nullable: true, example: '1 Main Street' }),
    street_address2: text({ nullable: true, example: null }),
    city: text({ nullable: true, example: 'New York' }),
    state: text({ nullable: true, example: 'NY' }),
    zip_code: text({ nullable: true, example: '10001' }),
    latitude: coordinate('40.7506'),
    longitude: coordinate('-73.9972'),
    phone: text({ nullable: true, example: '2125550100' }),
    complete_address: text({ nullable: true, example: '1 Main Street, New York, NY 10001, US' }),
    country: text({ nullable: true, example: 'US' }),
  },
  { storeNumber: column<string | null>() },
)
export type Store = ResourceRow<typeof STORE>
