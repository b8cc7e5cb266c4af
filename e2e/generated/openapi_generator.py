import os

import openapi_client
from openapi_client.exceptions import NotFoundException

configuration = openapi_client.Configuration(os.environ["GROWTH_URL"], api_key={"apiKey": os.environ["GROWTH_API_KEY"]})
client = openapi_client.ApiClient(configuration)
tracking = openapi_client.TrackingApi(client)
page = openapi_client.AlertsApi(client).list_alerts(limit=5, x_test_clock=os.environ["GROWTH_CLOCK"])
tracked = tracking.track_creator(openapi_client.TrackCreatorInput(channel_id=os.environ["GROWTH_CHANNEL"]))
try:
    tracking.get_tracked_creator("UC_nobody-has-this-12345")
except NotFoundException as failure:
    print(len(page.alerts), tracked.creator.channel_id, failure.status, failure.data.code.value)
