import { MadeFor } from "../../../_client/made-for";
import { requireKey } from "../../../_server/session";
import { NotTracked } from "./not-tracked";

/** Shown for creators the key does not track. */
export default async function CreatorNotFound() {
  const { id } = await requireKey();
  return (
    <MadeFor keyId={id}>
      <NotTracked />
    </MadeFor>
  );
}
