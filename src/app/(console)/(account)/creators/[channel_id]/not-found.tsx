import { MadeFor } from "../../../_client/made-for";
import { requireKey } from "../../../_server/session";
import { NotTracked } from "./not-tracked";

/** For creators that the key does not track: another one may. */
export default async function CreatorNotFound() {
  const { id } = await requireKey();
  return (
    <MadeFor keyId={id}>
      <NotTracked />
    </MadeFor>
  );
}
