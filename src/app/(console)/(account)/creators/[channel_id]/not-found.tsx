import { KeyGuard } from "../../../_client/key-guard";
import { requireKey } from "../../../_server/page";
import { NotTracked } from "./not-tracked";

export default async function CreatorNotFound() {
  const { id } = await requireKey();
  return (
    <KeyGuard keyId={id}>
      <NotTracked />
    </KeyGuard>
  );
}
