import Type from 'typebox'
import { FAULT_KINDS } from '../faults.ts'

const CLOSED = { additionalProperties: false }
const Id = Type.String({ minLength: 1, maxLength: 255 })
/** Longer than any client would wait. */
const LongestMs = 3_600_000
const Chance = Type.Number({ minimum: 0, maximum: 1 })
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000 })

export const FaultBody = Type.Object(
  {
    kind: Type.Union(FAULT_KINDS.map((kind) => Type.Literal(kind))),
    path: Type.Optional(Type.String({ pattern: '^/' })),
    item_id: Type.Optional(Id),
    client_id: Type.Optional(Id),
    times: Type.Optional(Count),
    skip: Type.Optional(Count),
    ms: Type.Optional(Type.Integer({ minimum: 0, maximum: LongestMs })),
    retry_after: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })),
    error_code: Type.Optional(Type.String({ pattern: '^[A-Z][A-Z0-9_]*$', maxLength: 100 })),
  },
  CLOSED,
)
export const FaultPath = Type.Object({ fault_id: Id })

export const LimitsBody = Type.Object(
  { enforced: Type.Boolean(), scale: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1000 })) },
  CLOSED,
)

export const WebhooksBody = Type.Object(
  {
    lose: Type.Optional(Chance),
    double: Type.Optional(Chance),
    delay_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: LongestMs })),
    reorder: Type.Optional(Type.Boolean()),
    badly_sign: Type.Optional(Chance),
    seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 0xffff_ffff })),
  },
  CLOSED,
)

export const ReplayBody = Type.Object(
  { item_id: Type.Optional(Id), count: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })) },
  CLOSED,
)
