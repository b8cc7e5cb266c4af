import os

from creator_growth_tracking_service_client import AuthenticatedClient
from creator_growth_tracking_service_client.api.alerts import list_alerts
from creator_growth_tracking_service_client.api.tracking import get_tracked_creator, track_creator
from creator_growth_tracking_service_client.models import TrackCreatorInput

client = AuthenticatedClient(
    os.environ["GROWTH_URL"], os.environ["GROWTH_API_KEY"], prefix="", auth_header_name="X-API-Key"
)
page = list_alerts.sync(client=client, limit=5, x_test_clock=os.environ["GROWTH_CLOCK"])
tracked = track_creator.sync(client=client, body=TrackCreatorInput(channel_id=os.environ["GROWTH_CHANNEL"]))
failure = get_tracked_creator.sync_detailed("UC_nobody-has-this-12345", client=client)
print(len(page.alerts), tracked.creator.channel_id, failure.status_code.value, failure.parsed.code)
