// The least that a route handler of Next can do: what its router costs.
export const dynamic = "force-dynamic";

export function GET() {
  return Response.json({ status: "ok" });
}
